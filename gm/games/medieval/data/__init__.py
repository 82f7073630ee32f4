"""What does not change during a game: the rules data and the map; and its start position."""

"""What never changes during a game: the rules data, the map and the start."""

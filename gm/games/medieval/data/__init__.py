"""The constants of a game: the rules data, the map and the start."""

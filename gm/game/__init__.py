"""What a game is to the rest of the program: the parts that each game fills in."""

"""What a small game does not write itself: all but its rules, board and orders (CONTRIBUTING.md, "Adding a game")."""

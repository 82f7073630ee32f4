"""The common part of small games: all but rules, board and orders (CONTRIBUTING.md, "Adding a game")."""

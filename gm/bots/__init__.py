"""Who plays by name: the bots of a game, those of installed packages, and programs of any kind.

The only place besides the commands that starts programs.
"""

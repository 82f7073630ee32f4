"""Find bots by their names: those of the game, those of installed packages, and programs.

Besides the commands, only this package starts programs.
"""

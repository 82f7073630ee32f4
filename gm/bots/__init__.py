"""Bots by name: those of installed packages and programs.

Besides the commands, only this package starts programs.
"""

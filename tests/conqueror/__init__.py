"""Conqueror!, clause by clause."""

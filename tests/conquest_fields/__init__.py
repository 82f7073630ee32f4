"""Conquest on fields, clause by clause."""

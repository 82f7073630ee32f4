"""Conquestination, clause by clause."""

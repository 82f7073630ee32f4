"""Conqueror!: feudal powers in the Europe of 859, their armies, gold, and subjects' hearts."""

"""Conqueror!: feudal powers in the Europe of 859, their armies, their gold, and the hearts of their subjects."""

"""Timings of the commands, in multiples of an empty Python start."""

"""CONQUEST 0.0.2: cities, refineries and bases, supply lines, eight stages."""

"""Conquestination: countries and continents divided by seas, reinforced, fought for with dice, redeployed."""

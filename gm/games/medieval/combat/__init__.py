"""Battles (B1-B14): the sides, the rounds, the retreats, the aftermath, and the report of it all."""

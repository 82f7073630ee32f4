"""Battles (B1-B14): who meets whom, the rounds, the retreats, the aftermath, and the report of it all."""

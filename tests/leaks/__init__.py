"""Proofs that what a player gets tells nothing of what others keep to themselves (W8)."""

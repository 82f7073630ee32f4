"""What the documentation claims, run anew: ``make evidence``."""

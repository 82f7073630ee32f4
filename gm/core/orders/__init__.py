"""Order files: their head, and what reading them has in common in all games."""

"""Order files: their head, and the common part of reading them in all games."""

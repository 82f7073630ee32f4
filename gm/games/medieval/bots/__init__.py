"""Computer players: each looks at a position and writes an order file, with reasons as comments."""

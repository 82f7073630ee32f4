"""Computer players: each looks at a position and writes an ordinary order file, with its reasons as comments."""

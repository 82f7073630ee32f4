"""What people read after a turn: results files, pages and the game master's summary."""

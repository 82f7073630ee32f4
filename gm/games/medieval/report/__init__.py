"""The reports of a turn for people: results files, pages and the game master's summary."""

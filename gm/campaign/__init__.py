"""A game being played: orders come in, turns go out. Nothing here looks at the clock or prints."""

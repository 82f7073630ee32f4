"""The players' handbook: every clause in players' words, with the figures of the game's own rules."""

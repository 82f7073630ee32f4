"""A game being played: its folder, its rules and its state brought together; orders come in, turns go out.

Nothing here looks at the clock or prints: the commands say what time it is and what to tell.
"""

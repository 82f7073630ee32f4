"""The game master's desk in the browser: see :mod:`gm.desk.server`; ``pbem desk`` starts it."""

"""Playing at one's own table, in the browser: see :mod:`gm.play.table`; ``pbem play`` starts it."""

"""Playing at one's own table, in the browser: see :mod:`gm.play.table`; ``gm play`` starts it."""

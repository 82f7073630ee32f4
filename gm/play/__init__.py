"""Playing on one computer, in the browser: see :mod:`gm.play.table`; ``pbem play`` starts it."""

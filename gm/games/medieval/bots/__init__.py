"""Computer players: each looks at a position and writes an ordinary order file, with its reasons as comments.

What they know of the game they share: who could fight where (:mod:`survey`), what that would come to (:mod:`strength`),
what there is to spend (:mod:`budget`), and how orders are written (:mod:`sheet`). A bot is a temper: what it wants.
"""

"""What a small game needs and does not want to write itself: everything but its rules, its board and its orders.

:class:`gm.game.base.game.BaseGame` is a whole :class:`gm.game.spec.GameSpec` but for a few members; the other
modules are what it is made of. CONTRIBUTING.md ("Adding a game") says what an author writes where.
"""

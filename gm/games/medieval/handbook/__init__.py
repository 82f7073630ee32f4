"""The players' handbook: every clause in players' words, with the figures of the game's own rules.

``texts`` reads the prose (rules/medieval/handbook/), ``markup`` and ``figures`` turn it into HTML, ``clauses``,
``events``, ``words`` and ``tables`` prepare what is made from data, ``lesson`` plays the tutorial, ``page`` puts it all
together.
"""

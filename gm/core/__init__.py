"""The foundations of every game: values, events, dice, the pipeline, the map graph, YAML and orders.

It knows no game.
"""

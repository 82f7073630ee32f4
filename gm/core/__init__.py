"""What every game is made of: values, events, dice, the pipeline, the map graph, YAML and orders.

It knows no game.
"""

"""Conquest: grow and jump on a board of hexagons, triangles or squares until the enemy cannot move."""

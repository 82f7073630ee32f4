"""What can happen in a medieval turn, by part of the turn: the typed events that steps emit."""

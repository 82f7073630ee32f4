"""The odds of a battle: it is fought a few thousand times by the code of the turn, and counted."""

"""The eight stages of a turn (CS-1.2), a module for each group of them."""

"""Explanations of a turn's results, from its events, orders and clauses, with figures."""

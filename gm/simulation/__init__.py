"""Whole games played by bots, many of them: plan, playing in one or many processes, tables, findings, a page."""

"""Whole games played by bots: plan, playing in one or many processes, tables, findings, a page."""

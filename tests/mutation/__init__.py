"""Mutation testing of battles and steps: a small fault is planted in the code, and some test has to notice
it.
"""

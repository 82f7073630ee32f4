"""Whole games of random orders, random bytes for every reader, and proofs that no file tells what it must
not.
"""

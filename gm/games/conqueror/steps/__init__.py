"""The steps of a turn, in files by what they are about."""

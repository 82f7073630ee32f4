"""What authors of clients have: the schemas of files, samples of each release, and clients in another
language.
"""

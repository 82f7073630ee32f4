"""How mail programs write letters: each sample mail as bytes, all of it invented."""

"""The public site and the hall of fame."""

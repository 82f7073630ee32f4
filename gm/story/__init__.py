"""The memory of a campaign: its turns to step through, as a page and as a film."""

"""What a campaign is remembered by: its turns to step through, as a page and as a film."""

"""What a campaign is remembered by."""

"""What orders would come to, and why a turn came out as it did: trial, forecast, choices, odds, why."""

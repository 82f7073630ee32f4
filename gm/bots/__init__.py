"""Who plays by name. The only place besides the commands that starts programs."""

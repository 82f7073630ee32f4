"""Every file operation of every command that changes a game, killed, cut off and refused."""

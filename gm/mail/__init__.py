"""The post: letters in, letters out, and the week between them. The edge to the network; it knows no game."""

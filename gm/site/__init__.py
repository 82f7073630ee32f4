"""The public site of a GM's games and the hall of fame: plain files of public facts, and nothing else."""

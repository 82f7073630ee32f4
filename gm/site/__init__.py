"""The public site of a GM's games and the hall of fame: plain files with what everybody may know, and nothing else."""

"""Medieval Diplomacy: 23 realms on a map of Europe in 1320 (rules/medieval)."""

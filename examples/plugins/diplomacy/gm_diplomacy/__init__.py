"""Classic Diplomacy for gm: seven powers, the published adjudication, as a package of its own."""

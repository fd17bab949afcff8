"""The bots' knowledge of Pixies: first-sight moves, quick playouts, chances to win."""

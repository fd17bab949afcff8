"""The bots' knowledge of Bastos: first-sight moves, quick playouts, chances to win."""

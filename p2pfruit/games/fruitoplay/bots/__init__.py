"""The bots' knowledge of Fruitoplay: first-sight moves, quick playouts, chances to win."""

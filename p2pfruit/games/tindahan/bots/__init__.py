"""The bots' knowledge of Tindahan: first-sight moves, quick playouts, chances to win."""

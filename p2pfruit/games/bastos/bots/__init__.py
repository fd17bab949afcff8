"""The bots' knowledge of Bastos: the move at first sight, quick playouts of a round, and the chance to win."""

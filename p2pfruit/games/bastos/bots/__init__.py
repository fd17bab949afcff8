"""Bots for Bastos: heuristics, and the appraisal, playouts and chances that they use."""

"""Bots for Pixies: heuristics, and the grounds, appraisal, playouts and chances that they use."""

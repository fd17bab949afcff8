"""Bots for Tindahan: heuristics, and the appraisal, playouts and chances that they use."""

"""Bots for Fruitoplay: heuristics, and the deck, appraisal, playouts and chances that they use."""

"""Bots for Frutopia: heuristics, and the appraisal and plans that they use."""

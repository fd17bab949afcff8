"""Bastos around the rules: how it is told, how bots play it, its rules page."""

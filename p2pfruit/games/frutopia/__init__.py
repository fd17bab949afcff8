"""Frutopia around the rules: how it is told and shown, how bots play it, its rules page."""

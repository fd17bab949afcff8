"""Tindahan around the rules: how it is told, how it looks, how bots play it, its rules pages."""

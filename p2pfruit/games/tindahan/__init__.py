"""Tindahan around the rules: its words, its looks, its bots, its lesson, its rules pages."""

"""The lesson of Pixies: its course, its teacher, and the remarks on placed cards."""

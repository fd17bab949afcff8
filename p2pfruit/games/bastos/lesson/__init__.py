"""The lesson of Bastos: its course, its teacher with suggestions, and a finished trick."""

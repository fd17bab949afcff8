"""The lesson of Tindahan: its course, its teacher, and a finished trick."""

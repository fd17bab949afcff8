"""The start menu: entries, their forms, and the command lines that they make."""

"""The command line: main.py reads it, and commands/ has a module for each command."""

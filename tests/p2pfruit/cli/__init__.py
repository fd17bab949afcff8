"""The program as a person meets it: arguments in, lines and exit codes out."""

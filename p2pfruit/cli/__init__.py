"""The command line.

main.py       from argv to one command, and from what went wrong to an exit code
overview.py   the commands in their groups, and the help that lists them
parser.py     argparse in our own voice: groups, examples, the nearest word, French
manual.py     the manual page, written from the parsers
commands/     one module a command
"""

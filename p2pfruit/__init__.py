"""The program: network, storage, command line, screens and bots around the table."""

__version__ = "0.1.0"

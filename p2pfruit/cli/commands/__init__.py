"""One module a command. Each has HELP, configure(parser) and run(arguments) -> exit code."""

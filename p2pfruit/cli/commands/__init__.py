"""One module per command: summary(), examples(), configure(parser), run(arguments) -> exit code."""

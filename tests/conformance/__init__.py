"""The conformance suite, over every game that is shipped and those of tests."""

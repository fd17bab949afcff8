"""One suite for every registered game, shipped or not, with every option, at every seat count."""

"""Every bound of the suite, with its reason."""

# Ten times as many as the longest game that is shipped, at random and with the most players.
STEPS_MOST = 5_000

# For building one game from odd content: a deck of a million cards takes a third of it.
BUILD_MEMORY_MOST = 256 * 1024 * 1024
BUILD_SECONDS_MOST = 20

# For the whole suite: a hundred whole games of the longest game that is shipped take a tenth of it.
SUITE_MEMORY_MOST = 2 * 1024 * 1024 * 1024

# For one test: the longest takes a minute on a slow machine.
TEST_SECONDS_MOST = 600

# More values of an option than this are a list of things alike, such as fruits.
VALUES_MOST = 3

# A game of fewer steps than this is looked at four times.
SHORT_STEPS_MOST = 60

# Examples that hypothesis tries, without --long and with it.
EXAMPLES = 30
EXAMPLES_LONG = 500

"""Every bound of the full screen, with its reason."""

# What every page fits on: the size that terminals have had since the VT100.
COLUMNS_LEAST = 80
LINES_LEAST = 24

# An escape sequence comes at once, even over a slow line; a lone Escape is believed after this.
ESCAPE_S = 0.05

# Keys that were pressed and not heard yet; a cat on the keyboard stops here.
KEYS_MOST = 1000

# Text to read is not folded wider than this: in longer lines the eye loses the next one.
READING_COLUMNS_MOST = 96

# Rules in short fit on the smallest screen, with a title and the keys.
SHORT_LINES_MOST = 20

# The beats of a reveal: long enough to be seen, too short to be waited for.
CLOSED_S = 0.35
OPEN_S = 0.9

# A wait is shown by the second at first, and a player's clock at its end; between them in steps, so
# that the page is drawn less often. Pairs: below so many seconds, in steps of so many.
WAITED_STEPS_S = ((15, 1), (300, 15), (3600, 60))
LEFT_STEPS_S = ((30, 1), (3600, 15))

# The time that a question about an absent player is open is shown in steps of so many seconds.
OPEN_STEP_S = 5

# Beside the table there is room for the story and the chat from this width on.
WIDE_COLUMNS = 112
PANEL_COLUMNS_LEAST = 34

# A window that is being drawn to another size has many sizes on the way: looked at so often, it
# must have been too small so many times before lines are used.
RESIZED_S = 0.3
RESIZED_LOOKS = 2

# A table that was announced every two seconds and is not any more is gone: three were lost at most.
TABLE_GONE_S = 6.0

# A replay that plays by itself shows a frame as long as it takes to read a reveal.
FRAME_S = 2.5

# In a small window so many rows of the lobby are kept for what was said last.
LOBBY_CHAT_LEAST = 3

# The number of a frame, as it is typed: no game has a million.
FRAME_DIGITS_MOST = 6

# What is said after a game, and the answer to a choice there, leave room for the result.
AFTER_LINES_MOST = 6

"""A replay as one self-contained page for a browser.

    pictures.py    the frames as plain data, each tile and suit once
    page.py        the page: the data and the files below put together
    replay.html    the frame of the page
    replay.css     its style
    parts.js       draws the parts of a frame
    replay.js      steps through the frames, and handles all controls

The page loads nothing from the network, and its own policy forbids it to. All texts are inserted as
text, never as markup, so the name of a player can never act as code. The page knows no game: it
draws the scenes that a game's presenter describes.
"""

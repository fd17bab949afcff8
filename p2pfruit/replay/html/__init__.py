"""A replay as one page for a browser, that needs nothing but itself.

    pictures.py    frames as plain data, each tile and suit once
    page.py        the page: the data and the files below put together
    replay.html    what holds it all
    replay.css     how it looks
    parts.js       the parts of a frame
    replay.js      stepping, and everything that can be pressed

The page asks nobody for anything, and its own policy forbids it to. Whatever it shows is put there
as text, never as markup; so what players call themselves stays a name. It knows no game: it draws
the scenes that a game's presenter describes.
"""

"""The full-screen client.

    lines.py     pieces of text with a style, measured in columns
    glyphs.py    the signs, and how they are written where a terminal knows only ASCII
    palette.py   how each style is drawn, with and without colour
    drawing.py   a game's scene as lines
    page.py      what fills the screen and hears the keys; the stage that shows pages
    driver.py    the stage in a real terminal: prompt_toolkit, with trio as its guest

Everything but driver.py works without a terminal, and is tested so.
"""

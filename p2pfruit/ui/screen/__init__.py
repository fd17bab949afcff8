"""The full-screen client.

    styled.py    pieces of text with a style, measured in columns
    palette.py   how each style is drawn, with and without colour
    page.py      what fills the screen and hears the keys; the stage that shows pages
    driver.py    the stage in a real terminal: prompt_toolkit, with trio as its guest
    fitness.py   which terminals can show it at all

    drawing.py, charts.py, grid.py     a game's scene, its reveals and its points as lines
    entry.py, markdown.py, bar.py      what pages are made of

    menu.py, forms.py                  before a game
    lobby.py, table.py, overlays.py, final.py      a game from its beginning to its end
    rules.py, replay.py                rules, help, and games that were played

    model.py     what the table page knows
    tableside.py runs the page, for each of these sources:
    peers.py, front.py                 a table of peers; in lines while the window is too small
    dealt.py                           a table of the dealer
    lesson.py                          a lesson, with the teacher's box below

Everything but driver.py works without a terminal, and is tested so.
"""

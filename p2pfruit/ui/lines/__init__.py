"""Line mode, for any terminal and for screen readers, and JSON for programs.

    printing.py, keyboard.py   lines out and in
    player.py                  a person who plays any table by typing
    person.py                  such a person at a table of peers
    front.py, json_lines.py    a table of peers, in lines and as JSON
    forms.py, lesson.py, replay.py

Nothing here needs a cursor or colours.
"""

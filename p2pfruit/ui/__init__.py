"""What a person or a program sees of a table, and how they answer.

    observer.py   hears every event of a table of peers once, for the one view that shows it
    wording.py    peers, links and clocks in words
    commands.py   what can be typed at a table of peers
    lobby.py      what is known of a lobby; lobby_commands.py, lobby_form.py: what can be done there
    afterwards.py what can be done when a game is over
    chat.py, history.py, forms.py, table_fields.py, terminal.py     what lines and screen share

    lines/        a table, a replay, a lesson and forms line by line; JSON
    screen/       the same on the full screen
    fronts.py     chooses between them
    session.py    one table from the plan to its file
    dealt.py      one table of the trusted dealer
    menu/         the start menu

Lines know nothing of the screen; behind the screen stand lines.
"""

"""A bot for Fruitoplay: p2pfruit join INVITE --bot "python mybot.py". It plays its lowest card."""

import json
import sys


def choose(question):
    faces = question["view"]["faces"]  # {"31": "fig-12", …}: all that this seat knows

    def number(move):
        verb, *rest = move.split()  # "play #31", "collect fig", "draw", "cancel apple-1"
        return int(faces[rest[0][1:]].split("-")[1]) if verb == "play" else 0

    return min(question["moves"], key=number)


for line in sys.stdin:  # it ends with the game
    message = json.loads(line)
    if message["what"] == "choose":
        answer = {"number": message["number"], "move": choose(message)}
        print(json.dumps(answer), flush=True)

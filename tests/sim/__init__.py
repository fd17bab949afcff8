"""Whole tables under faults: real peers with simulated clocks, disks and links.

Everything follows from one number, the seed: who plays what, over which links, what goes wrong and
when, and what the players decide. A seed that fails is run again by

    python -m tests.sim --seed N [--game G] [--verbose]

and a range of them by `python -m tests.sim --from A --count N`.

plan.py      what goes wrong in a run, drawn from its seed
world.py     the clock, and who is linked to whom
line.py      one link: delay, loss, repetition, disorder, cuts
program.py   one running program: a peer, its disk, whoever decides for it
rogues.py    programs that do not keep the rules
checks.py    what must always hold, looked at whenever something happens
running.py   a run from its seed to its end, and what was seen on the way
"""

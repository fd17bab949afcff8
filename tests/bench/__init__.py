"""How fast things are. `python -m tests.bench` prints the figures; no test asserts a time.

Each module has measure(runs), which returns named figures. Processor time is measured, not the
clock on the wall, and medians are given with the best run beside them: other work on the machine
can only slow a run down.
"""

"""Decoders against bytes that a fuzzer makes up, led by which lines they reach.

    python -m tests.fuzz NAME --seconds 60

needs atheris, which is not there for every machine. What a target promises is said in targets.py;
whatever breaks the promise ends the run, and the bytes that did it are named.
"""

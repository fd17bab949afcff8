"""Frozen cases for whoever writes another p2pfruit, in another language or a year later.

One family is one module here and one JSON file of the same name beside it. The module has

    make()       the cases, from nothing but the code
    check(case)  what becomes of a case: GOOD, or the stage at which it must fail

A case is a plain object. `name` says what it is about, `expect` what becomes of it; bytes are hex.
Good cases also hold what they were made from, where that is secret in real life.

A new family is a new module, named in FAMILIES, and its file: `python -m tests.vectors --write`.
"""

"""Bugs in shaders of other languages, which are translated: one package a language, as in `tests.faults.fresh`."""

HOME = "tests.faults.languages"

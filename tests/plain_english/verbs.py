"""Recognises sentences by their verbs: the first word is an imperative, or another word is a verb in the present."""

from __future__ import annotations

import re
from collections.abc import Collection
from functools import cache

from tests.checkout import ROOT

# One verb a word, in its base form.
FILE = ROOT / "tests" / "data" / "verbs.txt"
_MODAL = frozenset({"can", "may", "must", "will", "should"})
_IRREGULAR = {"be": ("is", "are", "was", "were", "be"), "have": ("has", "have")}
# Negations and questions, whose main verb stands in its base form.
_AUXILIARY = frozenset({"do", "does", "need", "cannot"})


@cache
def base_forms() -> frozenset[str]:
    """The verbs of the data file."""
    return frozenset(FILE.read_text(encoding="utf-8").split())


@cache
def present_forms() -> frozenset[str]:
    """The same verbs as they follow a subject."""
    return frozenset(form for verb in base_forms() for form in present(verb))


def present(verb: str) -> Collection[str]:
    """The forms of one verb that follow a subject: `reads`, `matches`, `copies`."""
    if verb in _IRREGULAR:
        return _IRREGULAR[verb]
    if verb in _MODAL:
        return (verb,)
    if verb.endswith(("s", "x", "z", "ch", "sh", "o")):
        return (f"{verb}es",)
    if verb.endswith("y") and verb[-2] not in "aeiou":
        return (f"{verb[:-1]}ies",)
    return (f"{verb}s",)


def has_verb(line: str) -> bool:
    """Whether a line begins with an imperative, or has a verb in the present."""
    words = re.findall(r"[a-z']+", line.lower())
    return bool(words) and (words[0] in base_forms() or bool(set(words) & (present_forms() | _AUXILIARY)))

"""Chooses the command for a target: mostly `diff`, now and then another one."""

from __future__ import annotations

import random

from tests.fuzz import words

_DIFF = ("diff", "{}", "--json", "-")
_OTHERS = (
    ("diff", "{}"), ("diff", "{}", "--html", "out/report.html"), ("diff", "{}", "--junit", "out/report.xml"),
    ("diff", "{}", "--sarif", "out/report.sarif"),
    ("diff", "{}", "--layout", "channel_tiles", "--json", "-"), ("diff", "{}", "--precision", "float16", "--json", "-"),
    ("diff", "{}", "--save-golden", "out/golden.npz"), ("diff", "{}", "--backend", "compute", "--json", "-"),
    ("diff", "{}", "--trust", "--json", "-"), ("diff", "{}", "--repeat", "2", "--json", "-"),
    ("diff", "{}", "--fix", "out/fix.patch", "--diagnose-seconds", "4", "--json", "-"),
    ("diff", "{}", "--sensitivity", "--json", "-"), ("export", "{}", "--to", "out/layers", "--format", "png,npy,npz"),
    ("export", "{}", "--to", "out/layers"), ("eject", "{}", "--to", "out/ejected"),
    ("reduce", "{}", "--to", "out/reduced", "--seconds", "4"), ("probe", "{}", "--to", "out/page.html",
    "--diagnose-seconds", "1"),
    ("bench", "{}", "--no-first", "--seconds", "0.2"), ("sweep", "{}", "--seconds", "3", "--json", "-"),
)  # fmt: skip
_OTHER_SHARE = 0.2


def on(target: str, random_: random.Random, *more: str) -> tuple[str, ...]:
    """Returns the words of a command about a target, with `more` of them at the end."""
    chosen: tuple[str, ...] = _DIFF
    if random_.random() < _OTHER_SHARE:
        chosen = random_.choice(_OTHERS)
        if random_.random() < 0.2:
            texel = f"{random_.choice((0, 1, -1, 99999))},{random_.choice((0, 1))}"
            chosen = ("step", "{}", "--pass", random_.choice(("down1", "drawn", words.name(random_))), "--texel", texel)
    line = tuple(target if word == "{}" else word for word in chosen)
    # No system hands over a word with this in it.
    return tuple(word.replace("\x00", "0") for word in (*line, *more))

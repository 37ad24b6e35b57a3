"""Shaders that are wrong by a slip or a few, as an author makes them; a repair is looked for, and has to apply."""

from __future__ import annotations

import random
import re

from tests.fuzz import seeds
from tests.fuzz.case import Case, Content

# Each looks for repairs as long as all others together take.
SHARE = 1
_SECONDS = ("0", "2", "6", "12")
_TOKEN = re.compile(r"\s+|\d*\.\d+|\w+|<=|>=|==|!=|&&|\|\||[-+*/]=|\+\+|--|[^\w\s]")
_NUMBER = re.compile(r"\d*\.?\d+$")
_LANES = re.compile(r"[xyzw]{1,4}$|[rgba]{1,4}$")
# What one writes for the other.
_OTHERS = {
    "+": "-*", "-": "+*", "*": "/+", "/": "*%", "%": "/", "<": (">", "<=", ">="), ">": ("<", ">="), "<=": ("<", ">"),
    ">=": (">", "<"), "==": ("!=",), "!=": ("==",), "&&": ("||",), "||": ("&&",), "+=": ("=", "-="), "++": ("--",),
    "min": ("max",), "max": ("min",), "floor": ("ceil", "round"), "float": ("int",), "ivec2": ("vec2",),
    "true": ("false",), "texelFetch": ("texture",), "highp": ("mediump", "lowp"), "if": ("while",),
}  # fmt: skip
# Of the names in a text, how many may be another: most such texts do not compile.
_NAMES = 0.1
_NUMBERS = ("0", "1", "-1", "2", "0.5", "4", "1e9", "0.0", "1.0", "1e-30", "65536", "2147483647")


def case(random_: random.Random) -> Case:
    name = random_.choice(("convolution_twice", "webgl_cnn/fixed", "webgl_cnn/broken"))
    files: dict[str, Content] = dict(seeds.folder(name))
    chosen = random_.choice([each for each in files if each.endswith((".frag", ".comp", ".toml"))])
    text = files[chosen]
    assert isinstance(text, bytes)
    slips = random_.choice((1, 1, 1, 2, 3, 6))
    files[chosen] = _slipped(text.decode(), slips, random_).encode()
    seconds = random_.choice(_SECONDS)
    line = ("diff", "case/pipeline.toml", "--fix", "out/fix.patch", "--diagnose-seconds", seconds, "--json", "-")
    return Case(f"{slips} slips in {chosen}", files, line)


def _slipped(text: str, count: int, random_: random.Random) -> str:
    """The text with so many tokens put in place of others that could stand there, and now and then a line lost."""
    tokens = _TOKEN.findall(text)
    names = [token for token in tokens if token.isidentifier()]
    for _ in range(count):
        at, other = random_.choice(
            [(at, other) for at, token in enumerate(tokens) if (other := _other(token, names, random_))]
        )
        tokens[at] = other
    lines = "".join(tokens).splitlines(keepends=True)
    if random_.random() < 0.15:
        place = random_.randrange(len(lines))
        lines[place : place + 1] = random_.choice(([], [lines[place]] * 2, ["// " + lines[place]]))
    return "".join(lines)


def _other(token: str, names: list[str], random_: random.Random) -> str:
    """Returns what a slip writes in place of a token; nothing for one that it leaves alone."""
    if token in _OTHERS:
        return random_.choice(_OTHERS[token])
    if _NUMBER.match(token):
        return random_.choice((*_NUMBERS, f"{token} + 1", f"{token} - 1"))
    if _LANES.match(token):
        return "".join(random_.choice("xyzw") for _ in token)
    is_a_name = token.isidentifier() and random_.random() < _NAMES
    return random_.choice(names) if is_a_name else ""

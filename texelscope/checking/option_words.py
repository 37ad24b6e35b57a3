"""Puts keywords of a check in place of the options of the command line, in messages that name these."""

from __future__ import annotations

import re

# The keyword of each option that opens a target or changes its run.
KEYWORDS = {
    "--backend": "backend=…",
    "--convention": "conventions={…}",
    "--diagnose-seconds": "seconds=…",
    "--frames": "frames=…",
    "--golden": "golden=…",
    "--gradients": "gradients=…",
    "--inject": "inject=[…]",
    "--input": "inputs={…}",
    "--layout": "layout=…",
    "--limit": "quotas=…",
    "--mode": "dialect={'mode': …}",
    "--oracle": "oracle=…",
    "--pack": "dialect={'pack': …}",
    "--param": "dialect={…}",
    "--precision": "precision=…",
    "--shape": "shapes={…}",
    "--tolerance": "tolerances={…}",
    "--trust": "trust=True",
}
_SHAPES = re.compile(r"--shape (?P<name>[^\s=]+)=(?P<sizes>\w+(?:,\w+)*)")
_OPTION = re.compile(r"(?<![\w-])--[a-z]+(?:-[a-z]+)*(?![\w-])")


def with_keywords(text: str) -> str:
    """Returns the text with `trust=True` for `--trust` and so on; options that a check does not have stay."""
    text = _SHAPES.sub(_shape, text)
    return _OPTION.sub(lambda found: KEYWORDS.get(found[0], found[0]), text)


def _shape(found: re.Match[str]) -> str:
    sizes = found["sizes"].replace(",", ", ")
    return f"shapes={{'{found['name']}': ({sizes}{',' if ', ' not in sizes else ''})}}"

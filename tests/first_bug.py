"""docs/first-bug.md: what the page quotes and has its reader copy."""

from __future__ import annotations

import re

from tests.checkout import ROOT

PAGE = (ROOT / "docs" / "first-bug.md").read_text(encoding="utf-8")


def block(language: str) -> str:
    """Returns the page's one block in that language."""
    (found,) = re.findall(rf"^```{language}\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
    return str(found)


def line_of(sign: str) -> str:
    """The line that the page takes away (-) or puts in its place (+), as it stands in the file."""
    (found,) = re.findall(rf"^{re.escape(sign)}(.*)$", block("diff"), re.MULTILINE)
    return str(found)

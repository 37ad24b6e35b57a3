"""Write docs/operators-of-repair.md: every mutation operator of the repair search, with its examples.

The sentences and the examples are the docstrings of `pipeline/repair/operators/catalogue/`. Run it from the repository
root, in a second:

    .venv/bin/python docs/make_repair_operators.py
"""

from __future__ import annotations

import itertools
import re
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))  # the checkout's own operators, whatever folder this is run from

from texelscope.pipeline.discovery import first_line  # noqa: E402
from texelscope.pipeline.repair.operators.catalogue.registry import all_operators  # noqa: E402
from texelscope.pipeline.repair.operators.operator import MutationOperator  # noqa: E402

PAGE = ROOT / "docs" / "operators-of-repair.md"
INTRODUCTION = """\
# Mutation operators of the repair search

A pass that is wrong is repaired by trying small changes of its shader. Each operator undoes one mistake, wherever a
shader may have it. They are tried in this order, and the tests try every example. In the examples `x y z` are floats,
`i j` integers, `n` and `u_size` uniforms, `a b w` arrays, `u v` vectors of four, `s p` positions, `flag` a Boolean.

An operator is a class in `pipeline/repair/operators/catalogue/`. `docs/make_repair_operators.py` writes this page from
their docstrings."""
# Where a docstring's first line goes on to an example.
_EXAMPLE = re.compile(r":? `[^`]+`\s+becomes.*")


def main() -> None:
    """Write the page."""
    PAGE.write_text(page(), encoding="utf-8")
    sys.stdout.write(f"{PAGE.relative_to(ROOT)}: {len(all_operators().operators)} operators\n")


def page() -> str:
    """The text of the page: a table for each stage."""
    stages = itertools.groupby(all_operators().operators, lambda operator: operator.stage)
    tables = ["\n".join([f"## {stage.title.capitalize()}", "", *rows(list(some))]) for stage, some in stages]
    return "\n\n".join([INTRODUCTION, *tables]) + "\n"


def rows(operators: list[MutationOperator]) -> Iterator[str]:
    """The lines of a table of operators."""
    yield "| operator | mistake | from | to |"
    yield "|---|---|---|---|"
    for operator in operators:
        mistake = _EXAMPLE.sub("", first_line(operator)).rstrip(".")
        before, after = ("<br>".join(map(code, texts)) for texts in zip(*operator.examples(), strict=True))
        yield f"| {operator.name()} | {mistake} | {before} | {after} |"


def code(text: str) -> str:
    """A text as code in a table."""
    return f"`{text}`".replace("|", "\\|")


if __name__ == "__main__":
    main()

"""Runs the models and writes docs/models.md: `python -m tests.models`, 1 if one does not match."""

from __future__ import annotations

import sys
from collections import Counter

import onnx
import onnxruntime

from tests.checkout import ROOT
from tests.models.catalogue import CATALOGUE
from tests.models.run import FOLDER, Result, run
from texelscope.pipeline.gl.context import headless_context

PAGE = ROOT / "docs" / "models.md"
_HEAD = """# Models of every kind

Written by `python -m tests.models`; a change by hand is lost.

What exporters, quantisers and optimisers write differs more than what networks compute. These small models are kept in
`tests/models` as such tools wrote them, with the recipes that made them in `tests/models/recipes`. Each runs on random
numbers; every pass is compared with our oracle on the inputs that it had, and the outputs with those of ONNX Runtime
{runtime}, which runs the file with its optimiser switched off. A difference is in parts of the largest output, or of 1.

{matching} of {count} models match in every pass, with outputs as near as rounding allows.

| model | what it is | bytes | nodes | passes that match | difference |
|---|---|---|---|---|---|
"""
_TAIL = """
## How they were made

By torch 2.13.0, onnxscript 0.7.2, tensorflow 2.21.0, tf2onnx 1.17.0 and onnxruntime 1.31.1, none of which but the last
the tests need. `python -m tests.models.recipes.NAME` writes the models of a recipe anew, notes and folder names left
out; the weights are random.

| recipe | models |
|---|---|
"""


def main() -> int:
    """Runs all of them."""
    context = headless_context()
    results = [run(model, context) for model in CATALOGUE]
    for each in results:
        print(f"{each.model.name}: {dict(each.verdicts)} {each.difference:.2g} {each.problem}".rstrip())
    PAGE.write_text(page(results), encoding="utf-8")
    return 0 if all(each.matches for each in results) else 1


def page(results: list[Result]) -> str:
    """docs/models.md."""
    matching = sum(each.matches for each in results)
    head = _HEAD.format(runtime=onnxruntime.__version__, matching=matching, count=len(results))
    recipes = Counter(each.model.recipe for each in results)
    lines = [
        f"| [{recipe}](../tests/models/recipes/{recipe}.py) "
        f"| {', '.join(each.model.name for each in results if each.model.recipe == recipe)} |"
        for recipe in recipes
    ]
    return head + "\n".join(map(_row, results)) + "\n" + _TAIL + "\n".join(lines) + "\n"


def _row(result: Result) -> str:
    path = FOLDER / f"{result.model.name}.onnx"
    nodes = len(onnx.load(path).graph.node)
    return (
        f"| {result.model.name} | {result.model.kind} | {path.stat().st_size:,} | {nodes} "
        f"| {result.verdicts.get('match', 0)} of {result.passes} | {result.difference:.1e} |"
    )


if __name__ == "__main__":
    sys.exit(main())

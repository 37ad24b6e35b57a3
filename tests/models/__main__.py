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

`python -m tests.models` writes this page; changes by hand are lost.

Exporters, quantisers and optimisers write the same networks in very different ways. `tests/models` keeps small
models as such tools wrote them, and `tests/models/recipes` has the recipes that made them. Each model runs on
random numbers. Every pass is compared with our oracle on the inputs that it had, and the outputs with those of ONNX
Runtime {runtime}, with its optimiser switched off. *Difference* is a part of the largest output, or of 1 if that is
larger.

{matching} of {count} models match in every pass, and their outputs differ by rounding alone.

| model | what it is | bytes | nodes | passes that match | difference |
|---|---|---|---|---|---|
"""
_TAIL = """
## How they were made

With torch 2.13.0, onnxscript 0.7.2, tensorflow 2.21.0, tf2onnx 1.17.0 and onnxruntime 1.31.1. The tests need only
the last. `python -m tests.models.recipes.NAME` writes the models of a recipe again, without notes and folder names.
The weights are random.

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

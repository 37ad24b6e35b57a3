"""Diagnosis asks an operator what it is: it keeps no lists of names, in which a new one would be missing."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.pure.source_tree import files, syntax_of
from texelscope.pipeline.operators.families.registry import all_operators

# Ways in which known functions are got wrong, by the function: mistakes are not the operator's to say.
MISTAKES = (
    Path("pipeline/diagnose/fault_models/curves.py"),
    Path("pipeline/diagnose/hypotheses/functions.py"),
)


def lists_of_operators(tree: ast.AST) -> Iterator[tuple[int, list[str]]]:
    """Line and names of each collection, or call, with the names of several operators in it."""
    for each in ast.walk(tree):
        if isinstance(each, ast.Set | ast.List | ast.Tuple):
            parts: list[ast.expr | None] = [*each.elts]
        elif isinstance(each, ast.Dict):
            parts = [*each.keys]
        elif isinstance(each, ast.Call):
            parts = [*each.args]
        else:
            continue
        names = [part.value for part in parts if isinstance(part, ast.Constant) and isinstance(part.value, str)]
        known = [name for name in names if name in all_operators()]
        if len(known) > 1:
            yield each.lineno, known


def test_no_module_lists_operators() -> None:
    paths = [path for path in files((".py",), below=("pipeline/diagnose",)) if path not in MISTAKES]
    found = {path: lists for path in paths if (lists := list(lists_of_operators(syntax_of(path))))}
    assert found == {}, "say it in the operators' facts (pipeline/operators/facts.py)"


@pytest.mark.parametrize(
    "text",
    ['A = {"Relu", "Tanh"}', 'A = frozenset(["Relu", "Tanh"])', 'if t in ("Conv", "Gemm"): pass',
     'A = {"Relu": 1, "Tanh": 2}', 'redo.node("Sub", "Div")'],
)  # fmt: skip
def test_a_list_of_operators_is_found(text: str) -> None:
    assert list(lists_of_operators(ast.parse(text)))


def test_a_rule_about_one_operator_may_name_it() -> None:
    assert not list(lists_of_operators(ast.parse('redo.node("LRN"); t == "Clip"; A = {"Relu": 1, "relu6": 2}')))

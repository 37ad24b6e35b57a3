"""Tests go through what is public: a name that begins with an underscore may change without anybody being asked."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from typing import TypeGuard

import pytest

from tests.pure.source_tree import LIBRARY, files, syntax_of, text_of

PRIVATE = re.compile(r"_(?!_)\w*")
# Public by its documentation.
DOCUMENTED = frozenset({"os._exit"})
# Functions that take a name as text, and monkeypatch's own.
BY_TEXT = ("getattr", "setattr", "delattr", "hasattr")


def is_private(dotted: str) -> bool:
    """Whether a name, or a part of one with dots, is private."""
    return any(PRIVATE.fullmatch(part) for part in dotted.split("."))


def own_privates(of: ast.ClassDef) -> set[str]:
    """Private methods and attributes that a class gives its instances."""
    methods = {node.name for node in of.body if isinstance(node, ast.FunctionDef)}
    attributes = {node.attr for node in ast.walk(of) if is_own(node) and isinstance(node.ctx, ast.Store)}
    return {name for name in methods | attributes if is_private(name)}


def is_own(node: ast.AST) -> TypeGuard[ast.Attribute]:
    """Whether this is `self.name` or `cls.name`."""
    return isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id in ("self", "cls")


def last_name(node: ast.expr) -> str:
    """A name without the module or object that it is taken from."""
    return node.attr if isinstance(node, ast.Attribute) else getattr(node, "id", "")


def base_names(of: ast.ClassDef) -> list[str]:
    """Names of the classes that one derives from."""
    return [last_name(base) for base in of.bases]


@cache
def product_class(name: str) -> ast.ClassDef | None:
    """The class of the product that has this name."""
    for path in files((".py",), below=LIBRARY):
        if re.search(rf"^\s*class {name}\b", text_of(path), re.MULTILINE):
            return next(
                node for node in ast.walk(syntax_of(path)) if isinstance(node, ast.ClassDef) and node.name == name
            )
    return None


def inherited_privates(of: ast.ClassDef) -> set[str]:
    """What the product's classes that one derives from keep to themselves."""
    bases = [base for name in base_names(of) if (base := product_class(name)) is not None]
    return {name for base in bases for name in own_privates(base) | inherited_privates(base)}


def touched(tree: ast.AST) -> Iterator[str]:
    """Every private name of something else that a module touches, as it stands there."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and is_private(node.attr) and not is_own(node):
            yield from {ast.unparse(node)} - DOCUMENTED
        elif isinstance(node, ast.ImportFrom):
            yield from (f"{node.module}.{each.name}" for each in node.names if is_private(f"{node.module}.{each.name}"))
        elif isinstance(node, ast.Import):
            yield from (each.name for each in node.names if is_private(each.name))
        elif isinstance(node, ast.Call) and last_name(node.func) in BY_TEXT:
            texts = (each.value for each in node.args if isinstance(each, ast.Constant))
            yield from (text for text in texts if isinstance(text, str) and is_private(text))
        elif isinstance(node, ast.ClassDef):
            private = inherited_privates(node)
            yield from (ast.unparse(each) for each in ast.walk(node) if is_own(each) and each.attr in private)


def test_a_test_touches_no_private_name() -> None:
    tests = files((".py",), below=("tests",))
    assert len(tests) > 100
    found = {str(path): list(touched(syntax_of(path))) for path in tests}
    assert {path: names for path, names in found.items() if names} == {}


@pytest.mark.parametrize(
    "text",
    [
        "session._store",
        "from texelscope.pipeline.gl.session import _hidden",
        "from tests._hidden import shown",
        "import layouts._hidden",
        "monkeypatch.setattr(session, '_store', None)",
        "monkeypatch.setattr('texelscope.pipeline.gl.session._hidden', None)",
        "class Odd(Session):\n    def store(self):\n        return self._store",
        "class Odd(debug_session.DebugSession):\n    def store(self):\n        self._store = None",
    ],
)
def test_a_private_name_is_found(text: str) -> None:
    assert len(list(touched(ast.parse(text)))) == 1


@pytest.mark.parametrize(
    "text",
    [
        "session.__class__",
        "from texelscope.pipeline import __doc__",
        "def test(_unused): ...",
        "monkeypatch.setattr(bench, 'SECONDS', 0.0)",
        "print('_store')",
        "class Odd(Session):\n    def copies(self):\n        return self._copies",
    ],
)
def test_a_name_that_is_public_or_a_class_has_for_itself_is_not(text: str) -> None:
    assert list(touched(ast.parse(text))) == []

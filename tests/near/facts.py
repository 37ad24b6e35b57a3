"""Reads from one file, without running it, which other files it may depend on."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from tests.pure.imports import imports_of

# A string that may name a file, a module or an operator: one word, with dots and slashes. The beginning of an f-string
# such as f"tests.faults.{half}" ends with one of these.
_WORD = re.compile(r"[A-Za-z_][\w./-]{2,119}")
# How a module walks over the files beside it.
_OWN_FOLDER, _WALKS = {"__package__", "__file__", "__path__"}, {"glob", "rglob", "iterdir", "iter_modules", "discover"}
OWN_FOLDER = "."
# Before a path whose beginning is known to be the checkout's root.
_ROOT = "/"
_GLSL_COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)
_GLSL_CALL = re.compile(r"\b([A-Za-z_]\w*)\s*\(")


@dataclass(frozen=True)
class Facts:
    """The dotted names that a file imports, the words that may name a file, and the paths that it puts together.

    A folder among `folders` counts with all that is below it; `OWN_FOLDER` is the file's own.
    """

    imports: tuple[str, ...] = ()
    words: tuple[str, ...] = ()
    folders: tuple[str, ...] = ()


def facts_of(suffix: str, text: str) -> Facts:
    """The facts of a file with this suffix. Broken Python has none: a test run reports it better."""
    if suffix == ".py":
        try:
            return _of_python(ast.parse(text))
        except SyntaxError:
            return Facts()
    if suffix == ".glsl":
        calls = _GLSL_CALL.findall(_GLSL_COMMENT.sub(" ", text))
        return Facts(words=tuple(sorted({f"{name}.glsl" for name in calls})))
    return Facts()


def _of_python(tree: ast.Module) -> Facts:
    documentation = {id(statement.value) for statement in ast.walk(tree) if isinstance(statement, ast.Expr)}
    words = {
        node.value
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in documentation
    }
    paths = set(_paths(tree))
    from_root = {path.removeprefix(_ROOT) for path in paths if path.startswith(_ROOT)}
    names = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    attributes = {node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute)}
    walks_beside = bool(names & _OWN_FOLDER and (names | attributes) & _WALKS)
    return Facts(
        imports=tuple(sorted(_imports(tree))),
        words=tuple(
            sorted(word for word in words | {path.removeprefix(_ROOT) for path in paths} if _WORD.fullmatch(word))
        ),
        folders=tuple(sorted(from_root | ({OWN_FOLDER} if walks_beside else set()))),
    )


def _imports(tree: ast.Module) -> Iterator[str]:
    """Each imported name; `from a import b` is `a.b` alone, so that `a` by itself means the whole package."""
    found = [(each.line, each.module) for each in imports_of(tree)]
    longer = {(line, module.rpartition(".")[0]) for line, module in found}
    yield from (module for line, module in found if (line, module) not in longer)


def _paths(tree: ast.Module) -> Iterator[str]:
    """Every path that the module puts together: `ROOT / "docs" / "page.md"` as `/docs/page.md`.

    Names of the module stand for the paths that it gives them. Below an unknown `folder`, `folder / "page.md"` is
    `page.md`.
    """
    known: dict[str, str] = {"ROOT": _ROOT}
    for statement in tree.body:
        if isinstance(statement, ast.Assign) and (path := _joined(statement.value, known)):
            known |= {target.id: path for target in statement.targets if isinstance(target, ast.Name)}
    for node in ast.walk(tree):
        if isinstance(node, ast.BinOp) and (path := _joined(node, known)):
            yield path


def _joined(node: ast.expr, known: Mapping[str, str]) -> str:
    """The path that a chain of `/` writes, as far as its parts are known; empty for anything else."""
    if isinstance(node, ast.Name):
        return known.get(node.id, "")
    if not isinstance(node, ast.BinOp) or not isinstance(node.op, ast.Div):
        return ""
    if not isinstance(node.right, ast.Constant) or not isinstance(node.right.value, str):
        return ""
    left = _joined(node.left, known)
    return f"{left.removesuffix('/')}/{node.right.value}" if left else node.right.value

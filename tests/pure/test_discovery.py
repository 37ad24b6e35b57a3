"""Operators, importers, generators and fast versions are files of a folder; a bad file is an error that names it."""

from __future__ import annotations

from collections.abc import Callable, Collection
from pathlib import Path
from types import ModuleType

import pytest

from tests.plugin_folders import MakePackage, package_maker
from texelscope.pipeline import discovery
from texelscope.pipeline.diagnose.hypotheses import registry as hypotheses
from texelscope.pipeline.errors import TexelscopeError
from texelscope.pipeline.importers import registry as importers
from texelscope.pipeline.model_file import written as contributed
from texelscope.pipeline.operators.families import registry as operators
from texelscope.pipeline.oracle import versions

OPERATOR = """
from texelscope.pipeline.operators.families.elementwise import Unary
OPERATORS = (Unary("Made", "y = x", ulps=0.0),)
"""
IMPORTER = """
from texelscope.pipeline.importers.registry import Importer
class Made(Importer):
    suffixes = (".made",)
    def plan(self, target, options): ...
IMPORTER = Made()
"""
GENERATOR = """
from texelscope.pipeline.diagnose.causes import Cause
from texelscope.pipeline.diagnose.trial.hypothesis import Generator, Stage
MADE = Cause("made", "computing", "Something is wrong.")
def propose(case):
    return ()
GENERATORS = (Generator(MADE, Stage.PARTS, propose),)
"""
VERSION = """
def made(invocation):
    return None
OPERATORS = {"Made": made}
"""
CONTRIBUTED = """
def made(node):
    pass
OPERATORS = {"Made": made}
"""
Discover = Callable[[ModuleType], Collection[object]]
KINDS: dict[str, tuple[Discover, str]] = {
    "operators": (operators.discover, OPERATOR),
    "importers": (importers.discover, IMPORTER),
    "hypotheses": (hypotheses.discover, GENERATOR),
    "versions": (versions.discover, VERSION),
    "contributed": (contributed.discover, CONTRIBUTED),
}


@pytest.fixture
def make_package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> MakePackage:
    return package_maker(tmp_path, monkeypatch)


@pytest.mark.parametrize("kind", KINDS)
def test_a_file_more_is_a_plugin_more(make_package: MakePackage, kind: str) -> None:
    discover, text = KINDS[kind]
    assert len(discover(make_package({}))) == 0
    assert len(discover(make_package({"made": text}))) == 1


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    ("text", "got"),
    [
        ("import nothing_like_this", "ModuleNotFoundError: No module named 'nothing_like_this'"),
        ("def broken(:", "SyntaxError: invalid syntax .*"),
        ("1 / 0", "ZeroDivisionError: division by zero"),
    ],
)
def test_a_file_that_cannot_be_imported_is_named_with_the_reason(
    make_package: MakePackage, kind: str, text: str, got: str
) -> None:
    message = rf"/made\.py: expected a module that imports, got {got}\. Fix or remove the file\."
    with pytest.raises(TexelscopeError, match=message):
        KINDS[kind][0](make_package({"made": text}))


@pytest.mark.parametrize(
    ("kind", "old", "new", "message"),
    [
        ("operators", "OPERATORS", "OTHERS", "OPERATORS, a tuple of Operator instances, got none. List the module's"),
        ("operators", "(Unary", "tuple, (Unary", "OPERATORS, a tuple of Operator instances, got (<class 'tuple'>, "),
        ("importers", "IMPORTER", "OTHER", "IMPORTER, an instance of Importer, got none. Define it at the end of"),
        ("importers", "Made()", "Made", "IMPORTER, an instance of Importer, got <class"),
        (
            "hypotheses",
            "GENERATORS",
            "OTHERS",
            "GENERATORS, a tuple of Generator instances, got none. List the module's",
        ),
        (
            "hypotheses",
            "(Generator(",
            "list, (Generator(",
            "GENERATORS, a tuple of Generator instances, got (<class ",
        ),
        ("hypotheses", "(MADE,", "('made',", "a Cause in each generator, got 'made'. Write a row for it."),
        (
            "hypotheses",
            '"computing"',
            '"cooking"',
            "a family, reading or computing or storing or numbers, got 'cooking'. Set",
        ),
        (
            "hypotheses",
            "Something is wrong.",
            "",
            "a meaning, which says what the cause is, got none. Write a sentence.",
        ),
        (
            "versions",
            "OPERATORS",
            "OTHERS",
            "OPERATORS, a mapping from names of operators to functions of an Invocation, got none. Add a line",
        ),
        (
            "contributed",
            "OPERATORS",
            "OTHERS",
            "OPERATORS, a mapping from names of operators to functions of a Writer, got none. Add a line",
        ),
        (
            "versions",
            ": made",
            ": 1",
            "OPERATORS, a mapping from names of operators to functions of an Invocation, got {",
        ),
        (
            "contributed",
            '"Made"',
            "1",
            "OPERATORS, a mapping from names of operators to functions of a Writer, got {1: ",
        ),
    ],
)
def test_a_file_that_lacks_something_is_told_what_and_what_to_do(
    make_package: MakePackage, kind: str, old: str, new: str, message: str
) -> None:
    discover, text = KINDS[kind]
    assert old in text
    with pytest.raises(TexelscopeError) as caught:
        discover(make_package({"made": text.replace(old, new)}))
    assert f"/made.py: expected {message}" in str(caught.value)


@pytest.mark.parametrize(
    ("kind", "what"),
    [
        ("operators", "an operator"),
        ("hypotheses", "a cause"),
        ("versions", "a version of an operator"),
        ("contributed", "an operator"),
    ],
)
def test_a_name_that_two_files_claim_is_told_with_both(make_package: MakePackage, kind: str, what: str) -> None:
    discover, text = KINDS[kind]
    message = (
        rf"/second\.py: expected {what} not defined elsewhere, got '[Mm]ade', also in \S+/first\.py\. Remove one of the"
    )
    with pytest.raises(TexelscopeError, match=message):
        discover(make_package({"first": text, "second": text}))


def test_a_file_of_the_checkout_is_named_from_its_root() -> None:
    import texelscope.pipeline.operators.families

    files = {plugin.file for plugin in discovery.plugins(texelscope.pipeline.operators.families, without=("registry",))}
    assert "pipeline/operators/families/selection.py" in files
    assert "pipeline/operators/base.py" not in files

"""Names, docstrings, messages and imports of the product read easily to a stranger."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from tests.plain_english import docstrings, folders, names, words
from tests.plain_english.exceptions import EXCEPTIONS
from tests.plain_english.offence import Offence
from tests.plain_english.report import all_offences, remaining, unneeded
from tests.plain_english.verbs import base_forms, has_verb, present
from tests.pure.packages import Edge


@pytest.fixture(scope="module")
def offences() -> list[Offence]:
    """All of them, once."""
    return all_offences()


@pytest.mark.parametrize("rule", [names.RULE, docstrings.RULE, words.RULE, folders.RULE])
def test_nothing_in_the_product_breaks_the_rule(offences: list[Offence], rule: str) -> None:
    found = [str(offence) for offence in remaining(offences) if offence.rule == rule]
    assert found == [], "`python -m tests.plain_english` lists them by file"


def test_every_exception_is_needed_and_has_a_reason(offences: list[Offence]) -> None:
    assert unneeded(offences) == []
    assert [key for key, reason in EXCEPTIONS.items() if not reason.endswith(".")] == []


@pytest.mark.parametrize(
    "line",
    [
        "Reads values back from a texture.",
        "The planner decides where a tensor lies.",
        "Copies of a texture carry its name.",
        "A shader that does not compile keeps the last good one.",
        "Write the page anew.",
        "`Plan` matches passes with textures.",
    ],
)
def test_a_sentence_has_a_verb(line: str) -> None:
    assert has_verb(line)


@pytest.mark.parametrize(
    "line", ["The inputs of a pass, by name.", "Of one texture, everything.", "(height, width)", ""]
)
def test_a_noun_phrase_has_none(line: str) -> None:
    assert not has_verb(line)


def test_verbs_follow_a_subject_in_their_right_form() -> None:
    assert [present(verb) for verb in ("read", "match", "copy", "play", "go", "be", "can")] == [
        ("reads",),
        ("matches",),
        ("copies",),
        ("plays",),
        ("goes",),
        ("is", "are", "was", "were", "be"),
        ("can",),
    ]


def test_each_verb_is_listed_once_in_its_base_form() -> None:
    listed = Path(docstrings.__file__).parents[1].joinpath("data", "verbs.txt").read_text(encoding="utf-8").split()
    assert len(listed) == len(base_forms()) > 300
    assert [verb for verb in listed if verb != verb.lower()] == []


def found_in(text: str) -> list[str]:
    """The names of offences of docstrings and words in a module."""
    tree = ast.parse(text)
    return [offence.name for offence in (*docstrings.without_verb("a.py", tree), *words.dialect("a.py", tree))]


@pytest.mark.parametrize(
    ("text", "offending"),
    [
        ('"""The inputs of a pass."""', ["<module>"]),
        ('"""Lists inputs."""\nclass A:\n    """Inputs of a pass."""', ["A"]),
        ('def f():\n    """Inputs of a pass."""', ["f"]),
        ('class A:\n    @property\n    def inputs(self):\n        """Inputs of a pass."""', []),
        ('def _f():\n    """Inputs of a pass."""', []),
        ('raise ValueError("The shader is not mended yet.")', ["mended"]),
        ('say(f"{name} tells what {kind} it is")', ["tells"]),
        ('hint = "It hangs on the driver"', ["hangs on"]),
        ('hint = "It shows what is read of it"', ["what is read of it"]),
        ('hint = "What is wrong is looked for next"', ["What"]),
        ('hint = "What does this shader read?"', []),
        ('hint = "A window of its own opens"', ["of its own"]),
        ('pattern = re.compile(r"\\\\b(mended|told) by")', []),
        ('shader = "void main() { /* told by */ }"', []),
        ('key = "told"', []),
        ('"""Fixes what was told."""', []),
    ],
)
def test_an_offence_in_a_docstring_or_a_message_is_found(text: str, offending: list[str]) -> None:
    assert found_in(text) == offending


def test_public_classes_of_one_name_are_found_and_private_ones_are_not() -> None:
    trees = {
        "a.py": ast.parse("class Step: ...\nclass _Row: ..."),
        "b.py": ast.parse("class Step: ...\nclass _Row: ..."),
        "c.py": ast.parse("class Case: ..."),
    }
    assert [(offence.file, offence.name) for offence in names.used_twice(trees)] == [("a.py", "Step"), ("b.py", "Step")]


def test_of_two_folders_that_import_each_other_the_rarer_direction_is_upwards() -> None:
    paths = {
        "texelscope.pipeline.repair.a": Path("pipeline/repair/a.py"),
        "texelscope.pipeline.diagnose.b": Path("pipeline/diagnose/b.py"),
        "texelscope.pipeline.diagnose.hypotheses.c": Path("pipeline/diagnose/hypotheses/c.py"),
        "texelscope.pipeline.plan": Path("pipeline/plan.py"),
    }
    edges = [
        Edge("texelscope.pipeline.diagnose.b", "texelscope.pipeline.repair.a", 1),
        Edge("texelscope.pipeline.diagnose.hypotheses.c", "texelscope.pipeline.repair.a", 2),
        Edge("texelscope.pipeline.repair.a", "texelscope.pipeline.diagnose.b", 3),
        Edge("texelscope.pipeline.repair.a", "texelscope.pipeline.plan", 4),
        Edge("texelscope.pipeline.plan", "texelscope.pipeline.diagnose.b", 5),
    ]
    assert [(offence.file, offence.line) for offence in folders.upwards(edges, paths)] == [("pipeline/repair/a.py", 3)]


def test_the_model_of_a_feature_is_a_folder_apart() -> None:
    paths = (
        "viewer/reads/model/tap_view.py",
        "viewer/findings/model.py",
        "viewer/findings/panel.py",
        "viewer/state.py",
    )
    found = [folders.folder_of(Path(path)) for path in paths]
    assert found == ["viewer/reads/model", "viewer/findings/model", "viewer/findings", ""]


def test_an_exception_is_known_by_file_and_name_whatever_its_line() -> None:
    offence = Offence("pipeline/repair/text/a.py", 12, "dialect", "told", "'it is told'")
    assert (offence.key, offence.folder) == ("pipeline/repair/text/a.py: told", "pipeline/repair")

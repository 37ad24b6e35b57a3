"""A file's facts: what it imports, and which words and paths in it may name a file."""

from __future__ import annotations

import pytest

from tests.near.facts import OWN_FOLDER, Facts, facts_of


def python(text: str) -> Facts:
    """The facts of a Python module."""
    return facts_of(".py", text)


@pytest.mark.parametrize(
    ("text", "imports"),
    [
        ("import pipeline.plan", {"pipeline.plan"}),
        ("from texelscope.pipeline import plan, graph", {"pipeline.plan", "pipeline.graph"}),
        ("from texelscope.pipeline.plan import Plan", {"pipeline.plan.Plan"}),
        ("def f():\n    import viewer.theme", {"viewer.theme"}),
        ("if TYPE_CHECKING:\n    from texelscope.layouts import base", {"layouts.base"}),
    ],
)
def test_imports_are_found_wherever_they_stand(text: str, imports: set[str]) -> None:
    assert set(python(text).imports) == imports


def test_strings_that_may_name_a_file_are_words_and_sentences_are_not() -> None:
    facts = python(
        '"""Reads docs/guide.md."""\nnames = ["operators/conv.glsl", "texelscope.pipeline.plan.Plan", "two words"]'
    )
    assert set(facts.words) == {"operators/conv.glsl", "texelscope.pipeline.plan.Plan"}


def test_the_beginning_of_an_f_string_is_a_word() -> None:
    assert "tests.faults." in python('load(f"tests.faults.{half}")').words


def test_a_path_from_the_root_is_a_folder_through_names_of_the_module() -> None:
    facts = python('DOCS = ROOT / "docs"\nPAGE = DOCS / "pictures" / "causes.png"')
    assert {"docs", "docs/pictures/causes.png"} <= set(facts.folders)


def test_a_path_below_an_unknown_folder_is_a_word_alone() -> None:
    facts = python('def test(tmp_path):\n    return tmp_path / "pipeline" / "pipeline.toml"')
    assert facts.folders == ()
    assert "pipeline/pipeline.toml" in facts.words


@pytest.mark.parametrize(
    "text",
    ["found = discover(Path(folder), __package__)", "files = Path(__file__).parent.glob('*.py')"],
)
def test_a_module_that_walks_over_the_files_beside_it_names_its_folder(text: str) -> None:
    assert OWN_FOLDER in python(text).folders
    assert OWN_FOLDER not in python("here = Path(__file__)").folders


def test_a_shader_names_the_functions_that_it_calls() -> None:
    assert set(facts_of(".glsl", "// erf(x)\nfloat f(float x) { return is_nan(x) ? x : cosine(x); }").words) == {
        "f.glsl",
        "is_nan.glsl",
        "cosine.glsl",
    }


def test_broken_python_has_no_facts() -> None:
    assert python("def f(:") == Facts()

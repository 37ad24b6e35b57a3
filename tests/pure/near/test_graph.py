"""The graph of files: which tests a change reaches, and in how many steps."""

from __future__ import annotations

import pytest

from tests.near.facts import OWN_FOLDER, Facts
from tests.near.graph import BY_LIKENESS, DIRECT, FileGraph


def graph(**more: Facts) -> FileGraph:
    """A small tree; `more` are test modules by the last part of their name."""
    files = {
        "pipeline/__init__.py": Facts(),
        "pipeline/plan.py": Facts(),
        "pipeline/session.py": Facts(imports=("texelscope.pipeline.plan.Plan",)),
        "pipeline/rules/__init__.py": Facts(),
        "pipeline/rules/stride.py": Facts(),
        "pipeline/rules/registry.py": Facts(imports=("pipeline.rules",)),
        "pipeline/named.py": Facts(folders=(OWN_FOLDER,)),
        "pipeline/with_code/__init__.py": Facts(words=("conv",)),
        "pipeline/with_code/part.py": Facts(),
        "shaders/operators/conv.glsl": Facts(words=("erf.glsl",)),
        "shaders/functions/erf.glsl": Facts(),
        "docs/guide.md": Facts(),
        "tests/conftest.py": Facts(),
        "tests/pure/conftest.py": Facts(),
    }
    return FileGraph(files | {f"tests/pure/test_{name}.py": facts for name, facts in more.items()})


@pytest.mark.parametrize("name", ["pipeline.plan", "texelscope.pipeline.plan", "texelscope.pipeline.plan.Plan"])
def test_a_module_is_found_by_its_name_with_and_without_the_installed_folder(name: str) -> None:
    assert graph().module(name) == "pipeline/plan.py"


def test_a_module_of_somebody_else_is_none() -> None:
    assert graph().module("numpy.linalg") is None


@pytest.mark.parametrize("spelling", ["pipeline.plan.Plan", "texelscope.pipeline.plan.Plan"])
def test_each_import_on_the_way_is_a_step(spelling: str) -> None:
    steps = graph(near=Facts(imports=(spelling,)), far=Facts(imports=("pipeline.session",))).steps_from(
        ["pipeline/plan.py"]
    )
    assert steps["tests/pure/test_near.py"] == DIRECT
    assert steps["tests/pure/test_far.py"] == 2 * DIRECT


def test_a_registry_depends_on_every_module_of_its_package() -> None:
    steps = graph(rules=Facts(imports=("pipeline.rules.registry",))).steps_from(["pipeline/rules/stride.py"])
    assert steps["pipeline/rules/registry.py"] == DIRECT
    assert steps["tests/pure/test_rules.py"] == 2 * DIRECT


def test_a_module_new_in_its_package_reaches_the_registry_before_anybody_imports_it() -> None:
    files = {"pipeline/rules/__init__.py": Facts(), "pipeline/rules/new.py": Facts()}
    registry = {"pipeline/rules/registry.py": Facts(imports=("pipeline.rules",))}
    assert "pipeline/rules/registry.py" in FileGraph(files | registry).steps_from(["pipeline/rules/new.py"])


def test_who_walks_over_its_own_folder_depends_on_the_files_in_it() -> None:
    assert graph().steps_from(["pipeline/plan.py"])["pipeline/named.py"] == DIRECT


def test_importing_a_package_with_code_is_not_importing_its_modules() -> None:
    tests = graph(code=Facts(imports=("pipeline.with_code",)))
    assert "tests/pure/test_code.py" not in tests.steps_from(["pipeline/with_code/part.py"])
    assert "tests/pure/test_code.py" in tests.steps_from(["pipeline/with_code/__init__.py"])


@pytest.mark.parametrize(
    ("changed", "facts"),
    [
        ("docs/guide.md", Facts(words=("docs/guide.md",))),
        ("docs/guide.md", Facts(folders=("docs",))),
        ("shaders/operators/conv.glsl", Facts(words=("operators/conv.glsl",))),
        ("pipeline/rules/stride.py", Facts(words=("pipeline.rules.",))),
        ("pipeline/rules/stride.py", Facts(words=("texelscope.pipeline.rules.",))),
        ("pipeline/plan.py", Facts(words=("texelscope.pipeline.plan.time",))),
        ("tests/pure/conftest.py", Facts()),
        ("tests/conftest.py", Facts()),
    ],
)
def test_a_test_depends_on_what_it_names(changed: str, facts: Facts) -> None:
    assert graph(names=facts).steps_from([changed])["tests/pure/test_names.py"] == DIRECT


def test_an_operator_is_like_its_shader_and_a_function_reaches_the_shaders_that_call_it() -> None:
    steps = graph(conv=Facts(words=("Conv",))).steps_from(["shaders/functions/erf.glsl"])
    assert steps["tests/pure/test_conv.py"] == DIRECT + BY_LIKENESS


def test_importers_of_a_module_just_removed_are_found() -> None:
    importer = {"tests/pure/test_a.py": Facts(imports=("pipeline.gone.Thing",)), "pipeline/__init__.py": Facts()}
    assert "tests/pure/test_a.py" in FileGraph(importer, gone=["pipeline/gone.py"]).steps_from(["pipeline/gone.py"])


def test_a_test_that_has_nothing_to_do_with_a_change_is_not_reached() -> None:
    assert "tests/pure/test_other.py" not in graph(other=Facts(imports=("json",))).steps_from(["pipeline/plan.py"])

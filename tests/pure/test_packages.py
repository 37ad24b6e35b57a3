"""The packages stand on floors: each imports those below it alone, and says in a line what it holds."""

from __future__ import annotations

import ast
import re
import runpy
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

from tests.checkout import ROOT
from tests.pure.packages import Edge, circles, edges, floors, modules, node_of, upward
from tests.pure.source_tree import text_of


def test_every_package_has_its_floor() -> None:
    packages = {node_of(module) for module in modules()}
    advice = "give each its line in tests/pure/floors.txt, above whatever imports it"
    assert sorted(packages - set(floors())) == [], f"packages without a floor: {advice}"
    assert sorted(set(floors()) - packages) == [], "floors without a package"


def test_a_feature_that_no_other_package_imports_needs_no_floor_of_its_own() -> None:
    floors_named = {line.strip() for line in text_of(Path("tests/pure/floors.txt")).splitlines()}
    unnamed = [node for node in floors() if node not in floors_named]
    assert unnamed
    assert all(node.startswith("viewer.") for node in unnamed)


def test_the_page_of_packages_is_what_its_generator_writes() -> None:
    written = runpy.run_path(str(ROOT / "docs" / "make_packages.py"))["page"]()
    assert text_of(Path("docs/packages.md")) == written, "'python docs/make_packages.py' writes the page anew"


def test_no_import_runs_upwards() -> None:
    assert upward(edges(), floors()) == []


def test_no_circle_is_left() -> None:
    assert circles((node_of(each.importer), node_of(each.imported)) for each in edges() if not _within(each)) == []
    assert circles((each.importer, each.imported) for each in edges()) == []


def test_no_two_folders_of_the_pipeline_import_each_other() -> None:
    assert circles(_between_folders(edges())) == []


def test_a_circle_of_folders_is_found_where_packages_have_none() -> None:
    sources = {
        "pipeline.glsl.lines": "import pipeline.compare.words",
        "pipeline.compare.figures": "if TYPE_CHECKING:\n    from texelscope.pipeline.glsl.semantics import tree",
    }
    found = edges({module: ast.parse(source) for module, source in sources.items()})
    assert circles((node_of(each.importer), node_of(each.imported)) for each in found) == []
    assert circles(_between_folders(found)) == [["compare", "glsl"]]


def _between_folders(found: Iterable[Edge]) -> Iterator[tuple[str, str]]:
    """Yields the folders, or loose modules, directly below `pipeline/` of which one imports another."""
    for each in found:
        importer, imported = each.importer.split("."), each.imported.split(".")
        is_root = min(len(importer), len(imported)) == 1
        if importer[0] == imported[0] == "pipeline" and not is_root and importer[1] != imported[1]:
            yield importer[1], imported[1]


def _within(edge: Edge) -> bool:
    return node_of(edge.importer) == node_of(edge.imported)


@pytest.mark.parametrize(
    ("module", "source"),
    [
        (
            "pipeline.gl.session",
            "from texelscope.pipeline.compare.comparer import Comparer\n"
            "from texelscope.pipeline.read_trace import recorder",
        ),
        ("pipeline.plan", "if TYPE_CHECKING:\n    from texelscope.pipeline.operators.base import Operator"),
        ("pipeline.graph", "def f():\n    import pipeline.plan"),
        ("pipeline.oracle.fast.convolutions", "from texelscope.pipeline.oracle.reference import Reference"),
        ("pipeline.importers.registry", "import pipeline"),
        ("viewer.document.document", "from texelscope.viewer.texture import panel"),
        ("viewer.captured.model", "from texelscope.viewer.captured import panel"),
    ],
)
def test_an_import_upwards_is_found(module: str, source: str) -> None:
    assert module in modules()
    found = upward(edges({module: ast.parse(source)}), floors())
    assert found
    assert all(module in text and "stands above it" in text for text in found)


@pytest.mark.parametrize(
    ("module", "source"),
    [
        ("pipeline.gl.session", "from texelscope.pipeline.gl import context\nfrom texelscope.pipeline import plan"),
        ("viewer.texture.panel", "from texelscope.viewer import theme\nimport pipeline.gl.session"),
    ],
)
def test_an_import_downwards_is_none(module: str, source: str) -> None:
    assert upward(edges({module: ast.parse(source)}), floors()) == []


def test_a_circle_is_found_and_who_stands_above_or_below_it_is_not_blamed() -> None:
    pairs = [("a", "b"), ("b", "c"), ("c", "b"), ("c", "d"), ("e", "a")]
    assert circles(pairs) == [["b", "c"]]
    assert circles([("a", "b"), ("b", "c"), ("a", "c")]) == []


def test_every_folder_that_the_pages_send_a_stranger_to_is_there() -> None:
    named = {
        folder
        for page in ("ARCHITECTURE.md", "CONTRIBUTING.md")
        for folder in re.findall(r"`((?:pipeline|viewer|layouts|shaders|tests|docs)/[\w/]*)`", text_of(Path(page)))
    }
    assert len(named) > 20
    assert {folder for folder in named if not (ROOT / folder).exists()} == set()

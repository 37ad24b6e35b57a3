"""An importer and a panel are one file each: in the folder, or in an installed distribution."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import moderngl
import numpy as np
import pytest

import texelscope.viewer.runs
from tests.gl.operators.single_node import normal
from tests.plugin_folders import added_to, distribution
from texelscope import pipeline
from texelscope.pipeline import importers
from texelscope.pipeline.commands.listing import sections
from texelscope.pipeline.errors import TexelscopeError
from texelscope.pipeline.importers.registry import importer_for, suffixes
from texelscope.viewer.panel import all_panels

# A text with an operator a line, as some engine might write its models.
IMPORTER = '''
"""Chains: an operator of one input a line."""

from pathlib import Path

from texelscope.pipeline.errors import TexelscopeError
from texelscope.pipeline.importers.registry import Importer


class ChainImporter(Importer):
    """Chains of operators, one a line."""

    suffixes = (".chain",)
    takes_layout = True
    takes_precision = True

    def plan(self, target, options):
        """Each line a node, on pictures of the shape that is asked for."""
        from texelscope.pipeline.graph import Graph, Node, TensorInfo
        from texelscope.pipeline.planning.planner import plan_graph

        path = Path(target)
        lines = path.read_text(encoding="utf-8").split()
        if not lines:
            raise TexelscopeError(path.name, "an operator a line", "none", "Write one.")
        shape = options.shapes.get("x", (1, 3, 4, 5))
        names = ["x", *(f"t{number}" for number in range(len(lines)))]
        nodes = tuple(Node(f"{op}{i}", op, (names[i],), (names[i + 1],), opset=21) for i, op in enumerate(lines))
        tensors = {name: TensorInfo(name, shape) for name in names}
        graph = Graph(path.name, nodes, tensors, ("x",), (names[-1],), {})
        return plan_graph(graph, layout=options.layout, precision=options.precision, limits=options.limits)


IMPORTER = ChainImporter()
'''
PANEL = '''
"""Counts the passes."""

from imgui_bundle import imgui

from texelscope.viewer.panel import Panel


class CountPanel(Panel):
    """How many passes there are."""

    title = "Count"
    place = "bottom"
    order = 90

    def draw(self, app):
        """A line of text."""
        session = app.document.session
        imgui.text(f"{len(session.plan.passes) if session is not None else 0} passes")


PANEL = CountPanel()
'''


@pytest.fixture(params=["in the folder", "installed", "installed under its ending"])
def one_more(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[None]:
    """Both, in one of the ways in which they are found."""
    with ExitStack() as stack:
        if request.param == "in the folder":
            stack.enter_context(added_to(importers, tmp_path / "importers", {"chain": IMPORTER}))
            stack.enter_context(added_to(texelscope.viewer.runs, tmp_path / "panels", {"count_panel": PANEL}))
        else:
            name = ".chain" if "ending" in request.param else "chain"
            points = {
                "texelscope.importers": [f"{name} = scratch.chain"],
                "texelscope.panels": ["count = scratch.count"],
            }
            files = {"scratch/__init__.py": "", "scratch/chain.py": IMPORTER, "scratch/count.py": PANEL}
            stack.enter_context(distribution(tmp_path, points, files))
        yield


def test_a_file_of_the_importer_opens_runs_and_matches(one_more: None, tmp_path: Path, gl: moderngl.Context) -> None:
    (tmp_path / "small.chain").write_text("Tanh Abs", encoding="utf-8")
    assert ".chain" in suffixes()
    with pipeline.open(tmp_path / "small.chain", layout="row_major_rgba", context=gl) as session:
        session.set_input("x", x := normal(1, 3, 4, 5))
        session.run()
        assert [(each.operator, each.verdict) for each in session.compare().passes] == [
            ("Tanh", "match"),
            ("Abs", "match"),
        ]
        np.testing.assert_allclose(session.tensor("t1"), np.abs(np.tanh(x)), rtol=1e-5)
        assert {stored.layout.name for stored in session.plan.textures.values()} == {"row_major_rgba"}


def test_what_means_nothing_to_the_importer_is_refused(one_more: None, tmp_path: Path) -> None:
    (tmp_path / "small.chain").write_text("Tanh", encoding="utf-8")
    with pytest.raises(TexelscopeError, match=r"^gradients of 't0': expected a model"):
        pipeline.plan_of(tmp_path / "small.chain", gradients="t0")


def test_the_importer_says_what_a_person_may_choose(one_more: None) -> None:
    importer = importer_for("small.chain")
    assert (importer.takes_layout, importer.takes_precision, importer.takes_backend) == (True, True, False)
    assert ".chain " in sections()


def test_the_panel_is_there_at_its_place(one_more: None) -> None:
    bottom = [panel.title for panel in all_panels() if panel.place == "bottom"]
    assert bottom[-1] == "Count"


def test_nothing_of_them_is_left_afterwards() -> None:
    assert ".chain" not in suffixes()
    assert "Count" not in {panel.title for panel in all_panels()}

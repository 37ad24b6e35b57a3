"""The example's three variants: one matches, one shows what the write-up gets wrong, one has a bug a pass."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import moderngl
import numpy as np
import pytest
from numpy.typing import NDArray

from tests.checkout import ROOT
from texelscope import pipeline
from texelscope.pipeline.compare.comparer import Comparer
from texelscope.pipeline.debug_session import DebugSession
from texelscope.pipeline.oracle.graph_oracle import GraphOracle

EXAMPLE = ROOT / "examples" / "webgl_cnn"
README = (EXAMPLE / "README.md").read_text(encoding="utf-8")
ON_THE_WAY_UP = ("up1", "up2", "up3")


def errors_of(session: DebugSession, name: str) -> NDArray[np.float64]:
    """Returns |error| of a pass [c, h, w], given the inputs that it had."""
    plan = session.plan
    assert plan.graph is not None
    each = plan.find(name)
    assert each is not None
    given = {
        plan.textures[sampler.key].tensor: session.tensor(sampler.key)
        for sampler in each.samplers
        if plan.textures[sampler.key].role != "constant"
    }
    expected = GraphOracle(plan.graph).isolated(given, plan.textures[each.output].tensor)
    assert expected is not None
    value = np.asarray(expected.value, dtype=np.float64)
    return np.asarray(np.abs(session.tensor(name)[0] - value[0]))


@pytest.fixture
def highp(tmp_path: Path) -> Path:
    """Returns as_written with the precision declared, so that the two other faults stand alone."""
    folder = tmp_path / "highp"
    shutil.copytree(EXAMPLE, folder)
    for shader in folder.glob("as_written_*.frag"):
        text = shader.read_text(encoding="utf-8")
        shader.write_text(text.replace("highp float;", "highp float;\nprecision highp sampler2D;"), encoding="utf-8")
    return folder


@pytest.mark.parametrize("file", ["fixed.toml", "fixed_56.toml"])
def test_fixed_matches_in_every_pass(gl: moderngl.Context, file: str) -> None:
    with pipeline.open(EXAMPLE / file, context=gl) as session:
        session.run()
        report = session.compare(findings=False)
        assert session.plan.warnings == ()
    assert {each.name: each.verdict for each in report.passes} == dict.fromkeys(
        ("down1", "down2", "down3", *ON_THE_WAY_UP), "match"
    )


def test_as_written_is_wrong_from_its_first_pass_on(gl: moderngl.Context) -> None:
    with pipeline.open(EXAMPLE / "as_written.toml", context=gl) as session:
        session.run()
        report = session.compare(findings=False)
        warnings = session.plan.warnings
    assert report.culprit == "down1"
    assert {each.verdict for each in report.passes} == {"mismatch"}
    assert [warning.partition(": a sampler is lowp")[0] for warning in warnings] == [
        "as_written_down.frag:9: u_texture, u_filter, u_bias",
        "as_written_up.frag:10: u_texture, u_filter, u_bias",
    ]


def test_without_a_precision_reads_are_rounded_to_half(gl: moderngl.Context) -> None:
    with pipeline.open(EXAMPLE / "as_written.toml", context=gl) as session:
        session.run(to="down1")
        inside = errors_of(session, "down1")[:, 1:-1, 1:-1]
    assert 1e-5 < inside.max() < 1e-2


def test_offsets_across_the_edge_spoil_the_ring_of_every_tile(gl: moderngl.Context, highp: Path) -> None:
    with pipeline.open(highp / "as_written.toml", context=gl) as session:
        session.run(to="down1")
        errors = errors_of(session, "down1")
    assert errors[:, 1:-1, 1:-1].max() < 1e-5
    assert errors[:, 0, :].max() > 0.05
    assert errors[:, :, 0].max() > 0.05


@pytest.mark.parametrize(("file", "wrong"), [("as_written.toml", False), ("as_written_56.toml", True)])
def test_sampling_on_edges_is_right_inside_at_powers_of_two_alone(
    gl: moderngl.Context, highp: Path, file: str, wrong: bool
) -> None:
    with pipeline.open(highp / file, context=gl) as session:
        session.run()
        worst = [errors_of(session, name)[:, 2:-2, 2:-2].max() for name in ON_THE_WAY_UP]
    assert all((error > 1e-2) == wrong for error in worst), worst


def wrong_inside(session: DebugSession) -> list[float]:
    """Returns for each pass on the way up the share of wrong elements two texels or more from their tile's edge."""
    session.run()
    capture, comparer = session.capture(), Comparer(session.plan)
    return [float(comparer.wrong(capture, name)[0, :, 2:-2, 2:-2].mean()) for name in ON_THE_WAY_UP]


@pytest.mark.parametrize("size", [64, 56])
@pytest.mark.parametrize("variant", ["precision declared", "as written"])
def test_the_readme_says_how_much_is_wrong_inside(gl: moderngl.Context, highp: Path, size: int, variant: str) -> None:
    (row,) = re.findall(rf"^\| {size}x{size}, {variant} \|(.*)\|$", README, re.MULTILINE)
    said = [float(cell.removesuffix(" % ")) / 100 for cell in row.split("|")]
    folder = highp if variant == "precision declared" else EXAMPLE
    with pipeline.open(
        folder / ("as_written.toml" if size == 64 else f"as_written_{size}.toml"), context=gl
    ) as session:
        # How a driver rounds decides which texel is read on an edge.
        assert wrong_inside(session) == pytest.approx(said, abs=0.05 if any(said) else 0.0)


def test_broken_has_a_bug_in_every_pass(gl: moderngl.Context) -> None:
    with pipeline.open(EXAMPLE / "broken.toml", context=gl) as session:
        session.run()
        report = session.compare(findings=False)
    assert {each.verdict for each in report.passes} == {"mismatch"}


def test_each_bug_of_broken_is_one_line(gl: moderngl.Context) -> None:
    broken = sorted(EXAMPLE.glob("[du]*[123].frag"))
    assert len(broken) > 1
    for path in broken:
        fixed = (EXAMPLE / f"{path.stem.rstrip('123')}.frag").read_text(encoding="utf-8")
        missing = set(path.read_text(encoding="utf-8").splitlines()) - set(fixed.splitlines())
        code = [line for line in missing if line.strip() and not line.startswith("//")]
        assert len(code) == 1, (path.name, code)

"""Tests the names of the example's wrong shaders: those of its README and its tutorial."""

from __future__ import annotations

import re
from collections.abc import Iterator

import moderngl
import pytest

from tests.checkout import ROOT
from texelscope import pipeline
from texelscope.pipeline.compare.comparer import Comparer
from texelscope.pipeline.diagnose.explain import Diagnosis
from texelscope.pipeline.diagnose.naming import REPAIR_SECONDS, diagnose
from texelscope.pipeline.gl.context import shader_versions

EXAMPLE = ROOT / "examples" / "webgl_cnn"
README = (EXAMPLE / "README.md").read_text(encoding="utf-8")


def diagnosis(gl: moderngl.Context, file: str, name: str) -> Diagnosis:
    with pipeline.open(EXAMPLE / file, context=gl) as session:
        session.run()
        capture = session.capture()
        return diagnose(session, Comparer(session.plan), capture, name, repair_seconds=REPAIR_SECONDS)


def rounds(gl: moderngl.Context) -> bool:
    """Reports whether the driver rounds what a lowp sampler reads: one without GLSL ES has full precision alone."""
    return shader_versions(gl).es > 0


def shares_in_readme(gl: moderngl.Context) -> Iterator[tuple[str, float, str]]:
    """Returns cause, share and place of each row of the README's table of causes that the driver shows."""
    for cause, share, place in re.findall(r"^\| `(\w+)` \| ([\d.]+) % \| (\S+) \|$", README, re.MULTILINE):
        if cause != "half_precision" or rounds(gl):
            yield cause, float(share) / 100, place


@pytest.mark.parametrize(
    ("name", "shader", "cause", "made"),
    [
        ("down1", "down1.frag", "shift", 36),
        ("down2", "down2.frag", "kernel_transpose", 39),
        ("up1", "up1.frag", "missing_taps", 36),
        ("up2", "up2.frag", "activation_missing", 55),
        ("up3", "up3.frag", "missing_channels", 44),
    ],
)
def test_a_bug_of_broken_is_named_and_explains_all_that_is_wrong(
    gl: moderngl.Context, name: str, shader: str, cause: str, made: int | None
) -> None:
    found = diagnosis(gl, "broken.toml", name).findings[0]
    assert (found.cause, found.shader, found.explained) == (cause, shader, 1.0)
    assert found.made == (None if made is None else (shader, made))


def test_the_bias_of_another_tile_is_seen_to_be_read_and_is_called_nothing_else(gl: moderngl.Context) -> None:
    found = diagnosis(gl, "broken.toml", "down3")
    if not found.findings:
        assert "down3.bias" in found.unexplained
    assert {each.cause for each in found.findings} <= {"bias_offset", "index_map"}


@pytest.mark.parametrize("name", ["down1", "up3"])
def test_at_powers_of_two_the_texel_edges_do_no_harm(gl: moderngl.Context, name: str) -> None:
    found = diagnosis(gl, "as_written.toml", name)
    assert {each.cause for each in found.findings} == {"tile_bleed", *(["half_precision"] if rounds(gl) else [])}
    assert not found.unexplained
    assert sum(each.explained for each in found.findings) == pytest.approx(1.0)


def test_at_56_texels_all_three_are_named_with_the_shares_and_lines_of_the_readme(gl: moderngl.Context) -> None:
    found = diagnosis(gl, "as_written_56.toml", "up3")
    said = list(shares_in_readme(gl))
    assert [each.cause for each in found.findings] == [cause for cause, _, _ in said]
    assert [f"{each.shader}:{each.line}" for each in found.findings] == [place for _, _, place in said]
    # How a driver rounds decides which texel is read on an edge, and the README's shares are of one that does.
    if rounds(gl):
        assert [each.explained for each in found.findings] == pytest.approx([share for _, share, _ in said], abs=0.05)
    assert not found.unexplained

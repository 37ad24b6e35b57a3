"""ReShade effects run unchanged, and each pass is compared with the network that its own literals describe."""

from __future__ import annotations

from pathlib import Path

import moderngl
import numpy as np

from tests.effect_networks.reshade import half_size
from texelscope import pipeline
from texelscope.pipeline.debug_session import DebugSession
from texelscope.pipeline.dialects.mpv.pictures import default_values
from texelscope.pipeline.installation import SHIPPED
from texelscope.pipeline.reload.reloader import Reloader
from texelscope.pipeline.target import OpenOptions

EXAMPLE = SHIPPED / "examples" / "reshade" / "sharpen.fx"
SHAPES = {"BackBuffer": (1, 3, 24, 40)}


def _open(gl: moderngl.Context, folder: Path, **dialect: str) -> DebugSession:
    path = folder / "x.fx"
    path.write_text(half_size())
    session = pipeline.open(path, context=gl, shapes=SHAPES, dialect=dialect)
    session.run()
    return session


def test_every_pass_of_a_network_matches_what_its_literals_say(gl: moderngl.Context, tmp_path: Path) -> None:
    with _open(gl, tmp_path) as session:
        report = session.compare()
        assert [each.verdict for each in report.passes] == ["match"] * 4
        assert [each.name for each in report.passes] == ["texGrey", "texFeature0", "texMixed", "BackBuffer#2"]
        picture = default_values(SHAPES["BackBuffer"])[0]
        halves = picture.reshape(3, 12, 2, 20, 2).mean(axis=(2, 4))
        grey = np.tensordot([0.299, 0.587, 0.114], halves, axes=1)
        np.testing.assert_allclose(session.tensor("texGrey")[0, 0], grey, rtol=0, atol=2e-6)


def test_a_parameter_is_a_uniform_and_both_sides_follow_it(gl: moderngl.Context, tmp_path: Path) -> None:
    with _open(gl, tmp_path, strength="0") as session:
        np.testing.assert_allclose(session.tensor("BackBuffer#2"), session.tensor("BackBuffer"), rtol=0, atol=1e-6)
        assert {each.verdict for each in session.compare().passes} == {"match"}


def test_a_saved_edit_runs_and_is_compared_with_the_version_before(gl: moderngl.Context, tmp_path: Path) -> None:
    with _open(gl, tmp_path) as session:
        path = tmp_path / "x.fx"
        with Reloader(session, path, OpenOptions(shapes=SHAPES)) as reloader:
            path.write_text(half_size().replace("kernel[9 + y * 3 + x]", "kernel[9 + x * 3 + y]"))
            assert reloader.reload(frozenset({path})).errors == ()
        session.run()
        assert session.compare(findings=False).culprit == "texFeature0"


def test_the_example_matches(gl: moderngl.Context) -> None:
    with pipeline.open(EXAMPLE, context=gl, shapes=SHAPES) as session:
        session.run()
        assert {each.verdict for each in session.compare().passes} == {"match"}

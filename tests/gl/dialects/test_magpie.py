"""Magpie effects run unchanged, and each pass is compared with the network that its own literals describe."""

from __future__ import annotations

from pathlib import Path

import moderngl
import numpy as np
import pytest
from numpy.typing import NDArray

from tests.effect_networks.magpie import both_signs, shared_tiles
from tests.effect_networks.weights import weights
from texelscope import pipeline
from texelscope.pipeline.commands.extract import extracted, write
from texelscope.pipeline.debug_session import DebugSession
from texelscope.pipeline.dialects.mpv.pictures import default_values
from texelscope.pipeline.errors import TexelscopeError
from texelscope.pipeline.installation import SHIPPED
from texelscope.pipeline.reload.reloader import Reloader
from texelscope.pipeline.target import OpenOptions

EXAMPLE = SHIPPED / "examples" / "magpie" / "sharpen_x2.hlsl"
SHAPES = {"INPUT": (1, 3, 20, 28)}


def _open(gl: moderngl.Context, folder: Path, text: str, **options: str) -> DebugSession:
    path = folder / "x.hlsl"
    path.write_text(text)
    session = pipeline.open(path, context=gl, shapes=SHAPES, **options)  # type: ignore[arg-type]
    session.run()
    return session


def _convolved(x: NDArray[np.float32], kernel: NDArray[np.float32], bias: list[float]) -> NDArray[np.float64]:
    """A convolution of 3x3 of [c, h, w], what lies outside taken from the edge."""
    padded = np.pad(x.astype(np.float64), ((0, 0), (1, 1), (1, 1)), mode="edge")
    windows = np.lib.stride_tricks.sliding_window_view(padded, (3, 3), axis=(1, 2))
    made: NDArray[np.float64] = np.einsum("chwyx,ocyx->ohw", windows, kernel.astype(np.float64))
    made += np.array(bias)[:, None, None]
    return made


@pytest.mark.parametrize("text", [both_signs, shared_tiles])
def test_every_pass_of_a_network_matches_what_its_literals_say(
    gl: moderngl.Context, tmp_path: Path, text: object
) -> None:
    with _open(gl, tmp_path, text()) as session:  # type: ignore[operator]
        report = session.compare()
        assert [each.verdict for each in report.passes] == ["match"] * 3
        assert all(each.chained is not None for each in report.passes)


def test_the_network_is_the_one_that_the_weights_were_written_from(gl: moderngl.Context, tmp_path: Path) -> None:
    with _open(gl, tmp_path, both_signs()) as session:
        picture = default_values(SHAPES["INPUT"])[0]
        first = _convolved(picture, weights(1, 8, 3, 3, 3)[:4], [0.01, -0.02, 0.03, 0.02])
        np.testing.assert_allclose(session.tensor("tex1")[0], first, rtol=0, atol=2e-6)
        made = np.concatenate([session.tensor("tex1")[0], session.tensor("tex2")[0]])
        signs = np.maximum(np.concatenate([made, -made]), 0)
        second = _convolved(signs, weights(2, 8, 16, 3, 3)[4:], [-0.03, 0.01, 0.02, 0.01])
        np.testing.assert_allclose(session.tensor("tex4")[0], second, rtol=0, atol=4e-6)
        assert session.plan.graph is not None
        read = session.plan.graph.constants["tex4.weight"]
        np.testing.assert_array_equal(np.sort(read, axis=None), np.sort(weights(2, 8, 16, 3, 3)[4:], axis=None))


def test_a_texture_of_fractions_keeps_to_its_limits(gl: moderngl.Context, tmp_path: Path) -> None:
    with _open(gl, tmp_path, shared_tiles().replace("return sum + 0.01;", "return 9 * sum;")) as session:
        assert session.tensor("narrow").max() == 1.0
        assert session.compare().passes[1].verdict == "match"


def test_an_effect_is_compared_with_its_oracle_and_a_wrong_weight_is_named(
    gl: moderngl.Context, tmp_path: Path
) -> None:
    (tmp_path / "right.hlsl").write_text(both_signs())
    wrong = both_signs().replace("result = { 0.01, -0.02", "result = { 0.01, -0.07", 1)
    with _open(gl, tmp_path, wrong, oracle=str(tmp_path / "right.hlsl")) as session:
        report = session.compare()
        assert [each.verdict for each in report.passes] == ["mismatch", "match", "match"]
        (finding,) = report.passes[0].findings[:1]
        assert finding.cause == "wrong_literal"
        assert finding.line == both_signs().split("\n").index("\tMF4 result = { 0.01, -0.02, 0.03, 0.02 };") + 1


def test_a_parameter_is_a_uniform_and_both_sides_follow_it(gl: moderngl.Context) -> None:
    with pipeline.open(EXAMPLE, context=gl, shapes=SHAPES, dialect={"strength": "2"}) as session:
        session.run()
        assert session.plan.passes[1].uniforms["strength"] == 2.0
        assert {each.verdict for each in session.compare().passes} == {"match"}


def test_a_saved_edit_runs_and_is_compared_with_the_version_before(gl: moderngl.Context, tmp_path: Path) -> None:
    with _open(gl, tmp_path, both_signs()) as session:
        path = tmp_path / "x.hlsl"
        with Reloader(session, path, OpenOptions(shapes=SHAPES)) as reloader:
            path.write_text(both_signs().replace("c.x + INPUT", "c.y + INPUT"))
            assert reloader.reload(frozenset({path})).errors == ()
        session.run()
        assert session.compare(findings=False).culprit == "OUTPUT"


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("return result;", "return resalt;", "undefined identifier 'resalt'"),
        ("void Pass2(", "void Pass9(", "undefined identifier 'Pass2'"),
        ('#include "StubDefs.hlsli"\n', "", ""),
        ("MF3 src[4][4];", '#include "../../etc/passwd"\nMF3 src[4][4];', "a path inside the effect's folder"),
        ("#include", "//!TEXTURE\n//!SOURCE none.dds\nTexture2D t;\n#include", "'Texture2D NAME;'"),
    ],
)
def test_errors_name_lines_of_the_authors_file(
    gl: moderngl.Context, tmp_path: Path, old: str, new: str, message: str
) -> None:
    text = both_signs().replace(old, new, 1)
    if not message:
        _open(gl, tmp_path, text).release()
        return
    with pytest.raises(TexelscopeError) as caught:
        _open(gl, tmp_path, text)
    assert message in str(caught.value)
    assert "x.hlsl" in str(caught.value)


def test_an_extracted_model_is_an_oracle_of_the_effect_that_it_comes_from(gl: moderngl.Context, tmp_path: Path) -> None:
    path, model = tmp_path / "x.hlsl", tmp_path / "x.onnx"
    path.write_text(both_signs())
    write(extracted(path, OpenOptions()), model)
    with _open(gl, tmp_path, both_signs(), oracle=str(model)) as session:
        assert [each.verdict for each in session.compare(findings=False).passes] == ["match"] * 3
        assert model.resolve() in session.plan.files

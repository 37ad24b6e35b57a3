"""Layers on disk: as pictures, arrays and floats."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import moderngl
import numpy as np
import OpenEXR
import pytest
from PIL import Image

from tests.pure.models import array, model, node, value
from texelscope import pipeline
from texelscope.pipeline.debug_session import DebugSession
from texelscope.pipeline.errors import TexelscopeError
from texelscope.pipeline.export.snapshots import export, picture

SHAPE = (1, 4, 4, 4)


@pytest.fixture(params=["channel_tiles", "channel_tiles_rgba"])
def session(request: pytest.FixtureRequest, gl: moderngl.Context) -> Iterator[DebugSession]:
    """Three passes, one with a name that is no file name."""
    nodes = [node("Neg", "x", "a", "../../etc/passwd"), node("Abs", "a", "b", "dir/layer"), node("Neg", "b", "y", "")]
    made = model(nodes, [value("x", SHAPE)], [value("y", SHAPE)])
    with pipeline.open(made, layout=request.param, context=gl) as opened:
        opened.set_input("x", array(*SHAPE))
        opened.run()
        yield opened


def test_every_pass_that_ran_is_written_under_a_name_that_stays_in_the_folder(
    session: DebugSession, tmp_path: Path
) -> None:
    files = export(session, tmp_path / "out")
    assert [path.name for path in files] == ["000_etc_passwd.png", "001_dir_layer.png", "002_y.png"]
    assert {path.parent for path in files} == {tmp_path / "out"}


def test_a_picture_is_the_texture_with_its_range_in_words(session: DebugSession, tmp_path: Path) -> None:
    (path,) = export(session, tmp_path, passes=["dir/layer"])
    with Image.open(path) as saved:
        pixels, low, high = picture(session.texels("dir/layer"))
        np.testing.assert_array_equal(np.asarray(saved), pixels)
        assert saved.info["Title"] == "dir/layer"
        layout = session.plan.textures["b"].layout.name
        assert saved.info["Description"] == f"Abs [1, 4, 4, 4] in {layout}, {low:.9g} to {high:.9g}"


def test_arrays_hold_every_bit_in_the_logical_shape(session: DebugSession, tmp_path: Path) -> None:
    export(session, tmp_path, formats=["npy", "npz"])
    np.testing.assert_array_equal(np.load(tmp_path / "002_y.npy"), session.tensor("y"))
    with np.load(tmp_path / "layers.npz") as layers:
        assert sorted(layers.files) == ["000_etc_passwd", "001_dir_layer", "002_y"]
        np.testing.assert_array_equal(layers["001_dir_layer"], session.tensor("b"))


def test_exr_holds_the_texels_as_floats(session: DebugSession, tmp_path: Path) -> None:
    (path,) = export(session, tmp_path, passes=["y"], formats=["exr"])
    texels = session.texels("y")
    with OpenEXR.File(str(path)) as file:
        channels = file.channels()
        pixels = channels["Y" if texels.shape[2] == 1 else "RGBA"].pixels
    np.testing.assert_array_equal(pixels.reshape(texels.shape), texels)


def test_a_pass_that_did_not_run_is_left_out(session: DebugSession, tmp_path: Path) -> None:
    session.invalidate("dir/layer")
    assert [path.name for path in export(session, tmp_path)] == ["000_etc_passwd.png"]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"formats": ["pgn"]}, r"--format: expected png, npy, npz or exr, got 'pgn'\. Did you mean 'png'"),
        ({"passes": ["layr"]}, r"--pass: expected a pass of the plan, got 'layr'\. "),
    ],
)
def test_what_does_not_exist_is_told(
    session: DebugSession, tmp_path: Path, options: dict[str, list[str]], message: str
) -> None:
    with pytest.raises(TexelscopeError, match=message):
        export(session, tmp_path, **options)


def test_a_folder_that_is_none_is_told(session: DebugSession, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(
        TexelscopeError, match=r"file: expected a folder that can be written, got .*Choose another --to"
    ):
        export(session, tmp_path / "file")

"""Tests the size from which a pass is wrong: found on a driver, shown as a table, JSON and a picture."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest
from PIL import Image

from tests.pure.models import model, node, value
from texelscope import command_line, layouts
from texelscope.pipeline.debug_session import DebugSession
from texelscope.pipeline.errors import TexelscopeError
from texelscope.pipeline.gl.context import headless_context
from texelscope.pipeline.sweep.braces import parse
from texelscope.pipeline.sweep.picture import save_picture
from texelscope.pipeline.sweep.sweeping import Space, Sweep, exit_code, layouts_of, precisions_of, sweep
from texelscope.pipeline.sweep.text import as_json, conclusion, render
from texelscope.pipeline.target import Target

FREE = (1, "C", "H", "W")


@pytest.fixture
def relu(tmp_path: Path) -> Path:
    path = tmp_path / "m.onnx"
    path.write_bytes(model([node("Relu", "x", "y", "act")], [value("x", FREE)], [value("y", FREE)]).SerializeToString())
    return path


def half_precision_columns(session: DebugSession) -> None:
    """Columns counted as a half float counts: whole numbers up to 2048, then every second."""
    text = session.program_source("act").fragment
    assert "X(at)" in text
    session.replace_shader("act", text.replace("X(at)", "X(ivec4(at.xyz, at.w < 2048 ? at.w : at.w / 2 * 2))"))


def swept(path: Path, shape: str, among: str = "channel_tiles", precisions: str = "float32") -> Sweep:
    shapes, braces = parse([shape])
    space = Space(shapes, braces, layouts_of(among), precisions_of(precisions))
    return sweep(Target(str(path)), space, prepare=half_precision_columns)


def test_an_index_that_loses_its_last_bit_begins_at_exactly_one_size(relu: Path, tmp_path: Path) -> None:
    found = swept(relu, "x=1,1,1,{2000..2300}", "channel_tiles", "all")
    assert exit_code(found) == 1
    smallest = {row.precision: row.smallest.sizes for row in found.rows if row.smallest is not None}
    assert smallest == {"float32": {"2000..2300": 2050}, "float16": {"2000..2300": 2050}}
    assert conclusion(found) == (
        "Relu 'act' is wrong from 1x1x1x2050 on (2049 is right), in channel_tiles with float32 and float16: "
        "float_index_precision."
    )
    table = render(found)
    assert "✗  channel_tiles  float32    1x1x1x2050  1x1x1x2049  act   mismatch  float_index_precision  " in table
    assert "\nTried: ●2000 ●2048 ✗2300 " in table
    told = json.loads(as_json(found))
    assert told["rows"][0]["smallest_wrong"]["shapes"] == {"x": [1, 1, 1, 2050]}
    assert told["rows"][0]["right_below"]["sizes"] == {"2000..2300": 2049}
    save_picture(found, tmp_path / "p.svg")
    save_picture(found, tmp_path / "p.png")
    assert ">2050</text>" in (tmp_path / "p.svg").read_text(encoding="utf-8")
    with Image.open(tmp_path / "p.png") as picture:
        assert {colour for _, colour in picture.convert("RGB").getcolors(1 << 20) or ()} >= {
            (192, 57, 43),
            (26, 127, 90),
        }


def test_the_command_says_what_it_tried_and_exits_0_where_nothing_is_wrong(
    relu: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["sweep", relu, "--shape", "x=1,3,{4..16},{4..16}", "--layout", "all", "--device", "all"]
    assert command_line.main([*map(str, words), "--json", str(tmp_path / "s.json")]) == 0
    told = capsys.readouterr()
    tried = f"in {len(layouts.all_layouts())} layouts with float32.\n"
    assert f"Tried: ●4 ●8 ●16\nNo pass is wrong at any size that was tried, {tried}" in told.out
    assert "texelscope: channel_tiles, float32, x 1x3x8x8: right\n" in told.err
    assert {row["device"]["renderer"] for row in json.loads((tmp_path / "s.json").read_text())["rows"]}


def test_a_target_that_never_runs_exits_2_with_the_reason(relu: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert command_line.main(["sweep", str(relu), "--shape", "y=1,3,{4..8},4"]) == 2
    assert "Nothing ran. " in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--layout", "channel_tile"), "--layout: expected all, or some of auto, "),
        (("--precision", "half"), "--precision: expected all, or some of float32, float16, got 'half'."),
        (("--device", "first"), "--device: expected numbers from 0 on, or all, got 'first'. For example 0,1."),
        (("--device", "99"), "GL device 99: expected a device that this machine has, got requested device index 99"),
        (("--shape", "x={9..1}"), "--shape: expected a range from 1 up to 16777216, small end first, got '{9..1}'."),
        (("--plot", "p.pdf"), "--plot p.pdf: expected a file ending in .svg or .png, got '.pdf'. Change its ending."),
    ],
)
def test_what_cannot_be_swept_is_one_line(
    relu: Path, capsys: pytest.CaptureFixture[str], words: tuple[str, str], message: str
) -> None:
    assert command_line.main(["sweep", str(relu), *words]) == 2
    told = capsys.readouterr()
    assert (told.out, told.err.count("\n")) == ("", 1)
    assert message in told.err


def test_elsewhere_than_on_linux_there_is_one_device(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "darwin")
    with pytest.raises(TexelscopeError, match=r"GL device 1: expected device 0, got another one. Only EGL has several"):
        headless_context(1)


def test_a_picture_that_cannot_be_written_leaves_nothing(relu: Path, tmp_path: Path) -> None:
    found = swept(relu, "x=1,2,1,{4,5}")
    (tmp_path / "p.svg").mkdir()
    with pytest.raises(TexelscopeError, match="expected a file that can be written, got"):
        save_picture(found, tmp_path / "p.svg")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["m.onnx", "p.svg"]


def test_a_pipeline_file_says_its_sizes_layouts_and_precision_itself(tmp_path: Path) -> None:
    from tests.small_models import one_convolution
    from texelscope.pipeline.export.eject import eject

    eject(one_convolution(4), tmp_path / "ejected")
    target = Target(str(tmp_path / "ejected" / "pipeline.toml"))
    found = sweep(target, Space(layouts=layouts_of("all"), precisions=precisions_of("all")))
    assert found.notes == ("pipeline.toml says its layouts and precision itself: only devices are gone through.",)
    assert [(row.layout, len(row.points), row.points[0].state) for row in found.rows] == [("its own", 1, "right")]
    assert conclusion(found) == "No pass is wrong at any size that was tried, in its own layouts and precision."
    shapes, braces = parse(["image=1,3,{4..8},{4..8}"])
    with pytest.raises(TexelscopeError, match=r"expected a model, got 'pipeline.toml', which sets its own shapes"):
        sweep(target, Space(shapes, braces))


def test_several_processes_find_the_same(relu: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = [
        "sweep",
        str(relu),
        "--shape",
        "x=1,{2..4},{3..9},5",
        "--layout",
        "channel_tiles,row_major_rgba",
        "--json",
        "-",
    ]
    told = []
    for jobs in ("1", "2"):
        assert command_line.main([*words, "--jobs", jobs]) == 0
        out, err = capsys.readouterr()
        assert sum(" right" in line for line in err.splitlines()) >= 4
        told.append({**json.loads(out), "seconds": 0})
    assert told[0] == told[1]

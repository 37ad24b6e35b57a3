"""Tests that NaN, infinities and extreme float32 numbers in a result are reported in the report, and nowhere else.

What is wrong may be any number, so that no arithmetic on it may end a command or let numpy warn on the terminal.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.pure.models import array, model, node, value
from texelscope import command_line
from texelscope.pipeline.commands.diff import MISMATCH

AS_IT_IS = "Y = at.x < 0 ? 0.0 : compute(at);"
# Of a right value r, at column x of the texture.
RESULTS = {
    "NaN everywhere": "sqrt(-1.0 - r * r)",
    "NaN here and there": "log(r)",
    "infinities of both signs": "(x < 9.0 ? r : x < 15.0 ? 1.0 : -1.0) / 0.0",
    "one huge number": "1e20",
    "both ends of float32": "x < 9.0 ? 3.4e38 : -3.4e38",
    "all of it": "x < 4.0 ? 1.0 / 0.0 : x < 8.0 ? -1.0 / 0.0 : x < 13.0 ? 3e38 : x < 18.0 ? -3e38 : r * 1e30",
    "nearly overflowing": "r * 1e38",
    "denormal": "r * 1e-42",
}
DAMAGED = ("conv", "softmax")


@contextmanager
def nothing_said() -> Iterator[None]:
    """No warning of numpy's, on any thread: one that ends a rule of the diagnosis would not be seen as an error."""
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always", RuntimeWarning)
        yield
    assert [f"{each.filename}:{each.lineno}: {each.message}" for each in said] == []


@pytest.fixture(scope="module")
def ejected(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A model's passes as shaders in files."""
    nodes = [
        node("Conv", "x w b", "a", "conv", pads=[1, 1, 1, 1]),
        node("Relu", "a", "c", "relu"),
        node("Softmax", "c", "d", "softmax", axis=1),
        node("LRN", "d", "e", "lrn", size=3),
        node("Conv", "e v", "y", "last", pads=[1, 1, 1, 1]),
    ]
    weights = {"w": array(6, 3, 3, 3), "b": array(6), "v": array(2, 6, 3, 3)}
    made = model(nodes, [value("x", (1, 3, 8, 8))], [value("y", (1, 2, 8, 8))], weights=weights)
    folder = tmp_path_factory.mktemp("beyond")
    (folder / "m.onnx").write_bytes(made.SerializeToString())
    words = ["eject", str(folder / "m.onnx"), "--to", str(folder / "passes")]
    assert command_line.main([*words, "--layout", "channel_tiles"]) == 0
    return folder / "passes"


@pytest.fixture(params=RESULTS)
def target(ejected: Path, request: pytest.FixtureRequest) -> Iterator[str]:
    """The passes, with two of them gone wrong."""
    right = {name: (ejected / "shaders" / f"{name}.frag").read_text(encoding="utf-8") for name in DAMAGED}
    for name, text in right.items():
        assert text.count(AS_IT_IS) == 1
        changed = f"float r = at.x < 0 ? 0.0 : compute(at); float x = gl_FragCoord.x; Y = {RESULTS[request.param]};"
        (ejected / "shaders" / f"{name}.frag").write_text(text.replace(AS_IT_IS, changed), encoding="utf-8")
    yield str(ejected / "pipeline.toml")
    for name, text in right.items():
        (ejected / "shaders" / f"{name}.frag").write_text(text, encoding="utf-8")


def test_a_comparison_with_its_page_says_it_in_the_report_alone(
    target: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with nothing_said():
        words = ["diff", target, "--diagnose-seconds", "1", "--html", str(tmp_path / "page.html")]
        assert command_line.main(words) == MISMATCH
    printed = capsys.readouterr()
    assert "First wrong pass: conv" in printed.out
    assert printed.err == ""
    assert (tmp_path / "page.html").read_text(encoding="utf-8").count('"oracleSteps":') >= len(DAMAGED)


def test_layers_of_them_are_written_in_every_format(
    target: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with nothing_said():
        assert command_line.main(["export", target, "--to", str(tmp_path), "--format", "png,npy,npz,exr"]) == 0
    assert capsys.readouterr().err == ""
    assert len(list(tmp_path.iterdir())) == 5 * 3 + 1

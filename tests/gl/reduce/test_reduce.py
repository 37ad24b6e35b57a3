"""A failing target becomes one pass on a few numbers, in a folder that fails alone with the same cause."""

from __future__ import annotations

import dataclasses
import errno
from pathlib import Path

import numpy as np
import onnx
import pytest

from tests.gl.gl.test_session import change_one_weight
from tests.pure.models import model, node, value
from tests.small_models import one_convolution
from texelscope import command_line
from texelscope.pipeline.commands.diff import diff
from texelscope.pipeline.debug_session import DebugSession
from texelscope.pipeline.errors import TexelscopeError
from texelscope.pipeline.export.eject import PIPELINE, eject
from texelscope.pipeline.reduce.reduction import ISSUE, ReductionRequest, reduce
from texelscope.pipeline.target import OpenOptions, Target

# Eight bits of what should be 32.
BYTES = ("return unary(X_here(lane));", "return floor(255.0 * unary(X_here(lane)) + 0.5) / 255.0;")


def two_leaks() -> onnx.ModelProto:
    """`image` [1, 2, 5, 6] → LeakyRelu `first` → LeakyRelu `second`."""
    nodes = [node("LeakyRelu", "image", "a", "first", alpha=0.25), node("LeakyRelu", "a", "y", "second", alpha=0.5)]
    return model(nodes, [value("image", (1, 2, 5, 6))], [value("y", (1, 2, 5, 6))])


@pytest.fixture
def ejected(tmp_path: Path) -> Path:
    eject(two_leaks(), tmp_path / "ejected")
    return tmp_path / "ejected"


def edit(folder: Path, name: str, old: str, new: str) -> Target:
    """The ejected folder with an edit of the shader of one pass."""
    path = folder / "shaders" / f"{name}.frag"
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new), encoding="utf-8")
    return Target(str(folder / PIPELINE))


def test_a_fault_in_an_ejected_shader_is_cut_to_a_few_elements_and_told_as_an_issue(
    ejected: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    edit(ejected, "second", *BYTES)
    to = tmp_path / "reduced"
    assert command_line.main(["reduce", str(ejected / PIPELINE), "--to", str(to)]) == 0
    told = capsys.readouterr()
    assert "\na       1x2x5x6        1x1x1x1\n" in told.out
    assert "\nLeakyRelu 'second': quantized_8bit. " in told.out
    assert "alone it fails as it did, on 60 numbers" in told.err
    report = diff(Target(str(to / PIPELINE))).report
    assert [(each.name, each.findings[0].cause) for each in report.passes] == [("second", "quantized_8bit")]
    assert {path.name for path in to.rglob("*") if path.is_file()} == {
        PIPELINE, "model.onnx", "second.frag", "a.npy", ISSUE
    }  # fmt: skip
    assert np.load(to / "a.npy").size == 1
    issue = (to / ISSUE).read_text(encoding="utf-8")
    for part in ("# LeakyRelu 'second': quantized_8bit", "| [0, 0, 0, 0] | ", "llvmpipe", " diff pipeline.toml\n"):
        assert part in issue
    assert "| `a` | 1x2x5x6 | 1x1x1x1 |" in issue


def test_a_shader_that_was_replaced_in_a_session_travels_too(tmp_path: Path) -> None:
    path = tmp_path / "m.onnx"
    path.write_bytes(two_leaks().SerializeToString())

    def replace(session: DebugSession) -> None:
        text = session.program_source("first").fragment
        assert BYTES[0] in text
        session.replace_shader("first", text.replace(*BYTES))

    to = tmp_path / "reduced"
    reduced = reduce(Target(str(path)), to, prepare=replace)
    assert reduced.title == "LeakyRelu 'first': quantized_8bit"
    assert [each.now for each in reduced.sizes] == [(1, 1, 1, 1)] * 2
    assert {path.relative_to(to) for path in to.rglob("*.*")} == {path.relative_to(to) for path in reduced.files}


def test_time_that_runs_out_leaves_the_smallest_so_far(ejected: Path, tmp_path: Path) -> None:
    target = edit(ejected, "second", *BYTES)
    reduced = reduce(target, tmp_path / "reduced", ReductionRequest(seconds=0.0))
    assert reduced.notes[-1] == "Time ran out before everything was tried; --seconds gives it more."
    assert (tmp_path / "reduced" / PIPELINE).is_file()


def test_a_shader_that_does_not_compile_is_cut_too(ejected: Path, tmp_path: Path) -> None:
    target = edit(ejected, "second", "X_here(lane)", "X_here(lame)")
    reduced = reduce(target, tmp_path / "reduced")
    assert reduced.title == "LeakyRelu 'second': does not run"
    assert "got \\`lame' undeclared" in (tmp_path / "reduced" / ISSUE).read_text(encoding="utf-8")


class TestRefusals:
    """One line for what cannot be reduced, and no folder."""

    def refused(self, target: Target, tmp_path: Path, asked: ReductionRequest | None = None) -> str:
        with pytest.raises(TexelscopeError) as caught:
            reduce(target, tmp_path / "reduced", asked)
        assert sorted(path.name for path in tmp_path.iterdir()) == ["ejected"]
        return str(caught.value)

    def test_a_target_that_does_not_fail(self, ejected: Path, tmp_path: Path) -> None:
        message = self.refused(Target(str(ejected / PIPELINE)), tmp_path)
        assert "expected a pass that is wrong, got 2 of 2 that match and none wrong. There is nothing to red" in message

    def test_a_pass_that_is_right(self, ejected: Path, tmp_path: Path) -> None:
        target = edit(ejected, "second", *BYTES)
        message = self.refused(target, tmp_path, ReductionRequest("first"))
        assert message.startswith("--pass first: expected a pass that is wrong, got one that is not.")

    def test_a_folder_with_files(self, ejected: Path, tmp_path: Path) -> None:
        with pytest.raises(TexelscopeError, match="expected a new or empty folder, got one with files"):
            reduce(Target(str(ejected / PIPELINE)), ejected)

    def test_a_folder_that_cannot_be_made(self, ejected: Path) -> None:
        with pytest.raises(TexelscopeError, match="expected a folder that can be written, got"):
            reduce(Target(str(ejected / PIPELINE)), ejected / PIPELINE / "reduced")

    def test_a_full_disk(self, ejected: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        def full(_file: object, _array: object, **_options: object) -> None:
            raise OSError(errno.ENOSPC, "No space left on device")

        target = edit(ejected, "second", *BYTES)
        monkeypatch.setattr(np, "save", full)
        message = self.refused(target, tmp_path)
        assert "expected a folder that can be written, got No space left on device. Choose another --to." in message

    def test_a_failure_that_needs_the_run_around_it(self, tmp_path: Path) -> None:
        path = tmp_path / "m.onnx"
        path.write_bytes(one_convolution().SerializeToString())
        target = Target(str(path), OpenOptions(layout="channel_tiles"))
        with pytest.raises(TexelscopeError, match=r"alone, on what it read: expected the failure .*, got none"):
            reduce(target, tmp_path / "reduced", prepare=lambda made: change_one_weight(made, "conv1"))
        assert [each.name for each in tmp_path.iterdir()] == ["m.onnx"]


BY_HAND = """\
#version 330 core
uniform sampler2D u_x;
uniform vec2 u_size;
const int CHANNELS = 5;
out float y;
void main() {
    ivec2 tile = ivec2(gl_FragCoord.xy) / ivec2(u_size);
    int channel = tile.y * int(ceil(sqrt(float(CHANNELS)))) + tile.x;
    float x = texelFetch(u_x, ivec2(gl_FragCoord.xy), 0).r;
    y = channel < CHANNELS ? floor(2.0 * x * 255.0 + 0.5) / 255.0 : 0.0;
}
"""
FUNCTIONS = """\
import numpy as np
import this_is_not_needed_here_and_does_not_travel

FACTOR = 2.0


def other(u_x):
    return this_is_not_needed_here_and_does_not_travel.other(u_x)


def doubled(u_x):
    return np.asarray(FACTOR * u_x)
"""
PIPELINE_TEXT = """\
[pipeline]
oracle = "oracle.py"

[[input]]
name = "x"
shape = [1, 5, 6, 7]
layout = "channel_tiles"
source = "random:1"

[[pass]]
name = "doubled"
shader = "doubled.frag"
output = { shape = [1, 5, 6, 7], layout = "channel_tiles" }
textures.u_x = "x"
uniforms.u_size = [7, 6]
"""


def test_a_shader_by_hand_and_a_function_as_oracle_are_cut_with_the_sizes_written_in_them(tmp_path: Path) -> None:
    own = tmp_path / "own"
    own.mkdir()
    (own / "doubled.frag").write_text(BY_HAND, encoding="utf-8")
    (own / "oracle.py").write_text(FUNCTIONS.replace("import this_is_not", "import string as this_is_not"))
    (own / PIPELINE).write_text(PIPELINE_TEXT, encoding="utf-8")
    to = tmp_path / "reduced"
    with pytest.raises(TexelscopeError, match=r"got none that could be compared. oracle.py is code and was not run"):
        reduce(Target(str(own / PIPELINE)), to)
    target = Target(str(own / PIPELINE), OpenOptions(trust=True))
    reduced = reduce(target, to)
    assert reduced.title == "Shader 'doubled': quantized_8bit"
    assert [each.now for each in reduced.sizes] == [(1, 1, 1, 1)] * 2
    assert "uniforms.u_size = [1, 1]\n" in (to / PIPELINE).read_text(encoding="utf-8")
    assert "\ntexelscope diff pipeline.toml --trust\n" in (to / ISSUE).read_text(encoding="utf-8")
    text = (to / "oracle.py").read_text(encoding="utf-8")
    assert "FACTOR = 2.0" in text
    assert "does_not_travel" not in text
    report = diff(dataclasses.replace(target, path=str(to / PIPELINE))).report
    assert [(each.name, each.findings[0].cause) for each in report.passes] == [("doubled", "quantized_8bit")]

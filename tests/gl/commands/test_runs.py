"""`diff` against a golden, another target, another layout; sensitivities; what options do not go together."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ET
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import pytest

from tests.gl.gl.test_session import change_one_weight
from tests.pure.models import array, model, node, value
from tests.small_models import one_convolution
from texelscope import command_line, pipeline
from texelscope.pipeline.commands.diff import FAILED, MATCH, MISMATCH
from texelscope.pipeline.runs.against import against_golden
from texelscope.pipeline.runs.difference import RunDifference
from texelscope.pipeline.target import OpenOptions, Target


class Said:
    """Runs the command line in this process; keeps what it printed."""

    def __init__(self, capsys: pytest.CaptureFixture[str]) -> None:
        self._capsys = capsys
        self.out = self.err = ""

    def __call__(self, *words: object) -> int:
        self._capsys.readouterr()
        code = command_line.main(["diff", *map(str, words)])
        self.out, self.err = self._capsys.readouterr()
        return code

    def refusal(self, *words: object) -> str:
        """The one line with which it refuses."""
        assert self(*words) == FAILED
        assert self.err.count("\n") == 1
        return self.err.removeprefix("texelscope: ").rstrip()


@pytest.fixture
def diff(capsys: pytest.CaptureFixture[str]) -> Said:
    return Said(capsys)


@pytest.fixture
def small(tmp_path: Path) -> Path:
    path = tmp_path / "small.onnx"
    onnx.save(one_convolution(), path)
    return path


@pytest.fixture
def golden(diff: Said, small: Path, tmp_path: Path) -> Path:
    path = tmp_path / "golden.npz"
    assert (
        diff(small, "--input", "random:5", "--save-golden", path, "--repeat", 2, "--junit", tmp_path / "j.xml") == MATCH
    )
    assert "Every run gave the same bits." in diff.out
    return path


def test_a_golden_is_held_against_on_its_own_inputs_in_any_layout(diff: Said, small: Path, golden: Path) -> None:
    assert diff(small, "--golden", golden, "--layout", "row_major_rgba", "--json", "-") == MATCH
    found = json.loads(diff.out)
    assert found["version"] == 1
    assert {each["sameness"] for each in found["tensors"]} <= {"equal", "within"}
    assert (found["here"]["settings"]["layout"], found["there"]["settings"]["layout"]) == (
        "row_major_rgba",
        "auto",
    )
    cases = ET.parse(golden.parent / "j.xml").getroot().iter("testcase")
    assert [case.get("name") for case in cases] == ["conv1", "relu1"]


def test_a_weight_that_changed_is_seen_against_the_golden_and_a_tolerance_may_allow_it(
    small: Path, golden: Path
) -> None:
    target = Target(str(small), OpenOptions(layout="channel_tiles"))
    found = against_golden(target, golden, {}, lambda session: change_one_weight(session, "conv1"))
    assert isinstance(found, RunDifference)
    assert (found.sameness, found.first) == ("differs", "conv1")


def test_a_tolerance_on_the_command_line(diff: Said, small: Path, golden: Path) -> None:
    assert diff(small, "--golden", golden, "--precision", "float16", "--tolerance", "conv1=0,0") == MISMATCH
    assert diff.out.endswith("First pass that differs: conv1\n")
    half = ("--precision", "float16", "--diagnose-seconds", 0)
    assert diff(small, *half) == MATCH
    assert "Not diagnosed" not in diff.out  # storage that rounds is not wrong
    assert diff(small, *half, "--tolerance", "conv1=0,0") == MISMATCH
    assert "Not diagnosed: 'conv1'. --diagnose conv1 diagnoses one" in diff.out
    refused = diff.refusal(small, "--tolerance", "conv1=1e-4")
    assert refused.startswith("--tolerance: expected TENSOR=RTOL,ATOL, as conv1=1e-4,1e-6, got 'conv1=1e-4'.")


def test_goldens_that_do_not_fit_are_refused(diff: Said, small: Path, golden: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.onnx"
    onnx.save(one_convolution(side=6), other)
    assert "expected a golden of this model (sha256 " in diff.refusal(other, "--golden", golden)
    refused = diff.refusal(small, "--golden", golden, "--input", "ramp")
    assert refused.endswith(
        "expected input 'image' as it was saved, got another one. Leave --input out: the golden has its own."
    )
    refused = diff.refusal(small, "--save-golden", tmp_path / "no" / "where.npz")
    assert "expected a file that can be written, got No such file or directory." in refused


def test_free_dimensions_have_the_goldens_sizes(diff: Said, tmp_path: Path) -> None:
    path, golden = tmp_path / "free.onnx", tmp_path / "golden.npz"
    onnx.save(model([node("Relu", "x", "y", "act")], [value("x", ("N", 3))], [value("y", ("N", 3))]), path)
    assert diff(path, "--shape", "x=5,3", "--save-golden", golden) == MATCH
    assert diff(path, "--golden", golden) == MATCH
    assert "5x3" in diff.out
    refused = diff.refusal(path, "--golden", golden, "--shape", "x=4,3")
    assert "expected input 'x' of shape [4, 3], got [5, 3]. Plan for it with --shape x=5,3." in refused
    assert "expected a file, got no such file" in diff.refusal(tmp_path / "none.onnx", "--golden", golden)


def test_another_storage_is_held_against_this_one(diff: Said, small: Path) -> None:
    assert diff(small, "--against-precision", "float16") == MATCH
    assert "2 more within their tolerance." in diff.out
    assert "There: small.onnx on " in diff.out


def test_another_target_gets_the_same_inputs_by_position(diff: Said, small: Path, tmp_path: Path) -> None:
    renamed, other = one_convolution(), tmp_path / "renamed.onnx"
    for each in renamed.graph.node:
        for names in (each.input, each.output):
            names[:] = [f"new_{name}" if name in ("image", "relu1") else name for name in names]
    renamed.graph.input[0].name, renamed.graph.output[0].name = "new_image", "new_relu1"
    onnx.save(renamed, other)
    assert diff(small, "--against", other) == MATCH
    assert "relu1 ~ new_relu1" in diff.out
    onnx.save(one_convolution(side=6), other)
    refused = diff.refusal(small, "--against", other)
    assert "input 'image': expected shape [1, 3, 8, 8], as the other has it, got [1, 3, 6, 6]." in refused


def test_the_pass_that_half_precision_hurts_most_comes_first(diff: Said, tmp_path: Path) -> None:
    nodes = [
        node("Add", "x big", "a", "large"),
        node("Sub", "a big", "s", "cancels"),
        node("Tanh", "s", "t", "curve"),
        node("Mul", "t s", "y", "joined"),
        node("ArgMax", "y", "i", "index", axis=1),
    ]
    made = model(
        nodes,
        [value("x", (2, 9))],
        [value("y", (2, 9)), value("i", (2, 1), onnx.TensorProto.INT64)],
        weights={"big": np.array(1000.0, np.float32)},
    )
    path = tmp_path / "m.onnx"
    onnx.save(made, path)
    assert diff(path, "--sensitivity", "--json", "-") == MATCH
    found = json.loads(diff.out)
    first, *_, last = found["passes"]
    assert (first["name"], last["name"]) == ("large", "index")
    assert first["half"]["of_largest"] > 1e-2
    assert first["condition"] > 100
    assert last["message"] == "Whole numbers: no storage of floats rounds them."
    conditions = {each["name"]: each["condition"] for each in found["passes"]}
    assert 0.3 < conditions["joined"] < 3.0
    assert diff(path, "--sensitivity") == MATCH
    assert diff.out.splitlines()[1].startswith("large ")
    assert "In half precision alone 'large' moves the outputs most, by " in diff.out


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--golden", "g", "--against", "b"), "--against: expected no --golden beside it, got both."),
        (("--sensitivity", "--junit", "j"), "--junit: expected no --sensitivity beside it, got both."),
        (("--sensitivity", "--sarif", "s"), "--sarif: expected no --sensitivity beside it, got both."),
        (("--sensitivity", "--precision", "float16"), "--sensitivity: expected --precision float32, got float16."),
        (("--captured", "d", "--repeat", "2"), "--repeat: expected no --captured beside it, got both."),
        (("--golden", "g", "--html", "p"), "--html: expected no --golden beside it, got both."),
        (("--json", "-", "--sarif", "-"), "--sarif: expected one report on standard output, got two."),
        (("--json", "-", "--junit", "-"), "--junit: expected one report on standard output, got two."),
    ],
)
def test_options_of_which_only_one_can_hold(diff: Said, words: tuple[str, ...], message: str) -> None:
    assert diff.refusal(*words).startswith(message)


def test_one_code_that_tips_on_this_driver_is_found(diff: Said, tmp_path: Path) -> None:
    """Where the driver's sum and numpy's differ a scale is chosen so that a tie lies between the two."""
    x, w = array(2, 512, seed=3), array(512, 32, seed=4)
    product = node("MatMul", "x w", "m", "product")
    alone = model([product], [value("x", x.shape)], [value("m", (2, 32))], weights={"w": w})
    with pipeline.open(alone) as session:
        session.set_input("x", x)
        session.run()
        made, right = session.tensor("m").astype(np.float64), (x @ w).astype(np.float64)
    apart = np.abs(made - right) / np.abs(right) * (np.abs(right) > 0.1 * np.abs(right).max())
    place = int(np.argmax(apart))
    if apart.flat[place] < 4 * np.finfo(np.float32).eps:
        pytest.skip("this driver's sums are too near numpy's for a tie in between")
    tie = abs(made.flat[place] + right.flat[place]) / 2.0
    nodes = [
        product,
        node("QuantizeLinear", "m scale zero", "q", "q"),
        node("DequantizeLinear", "q scale zero", "d", "d"),
        node("MatMul", "d v", "y", "last"),
    ]
    weights: dict[str, Any] = {
        "w": w,
        "scale": np.array(tie / 10.5, np.float32),
        "zero": np.array(0, np.int8),
        "v": array(32, 3),
    }
    tips = model(nodes, [value("x", x.shape)], [value("y", (2, 3))], weights=weights, opset=21)
    onnx.save(tips, tmp_path / "tips.onnx")
    np.save(tmp_path / "x.npy", x)
    assert diff(tmp_path / "tips.onnx", "--input", tmp_path / "x.npy", "--json", "-") == MATCH
    found = json.loads(diff.out)
    jump = found["end_to_end"]["jump"]
    assert {each["verdict"] for each in found["passes"]} == {"match"}
    assert (jump["name"], jump["cause"]) == ("q", "rounding_decision")
    assert jump["explained"] > 0.99

"""Goldens come back as they were kept; what is none, or another's, is refused in one line."""

from __future__ import annotations

import json
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.pure.models import IMAGE, array, relu
from texelscope import pipeline
from texelscope.pipeline.device import Device
from texelscope.pipeline.errors import TexelscopeError
from texelscope.pipeline.plan import Plan, Tolerance
from texelscope.pipeline.runs.golden_file import load_golden, save_golden
from texelscope.pipeline.runs.run import HeldTensor, Run

DIGEST = "ab" * 32
X = array(*IMAGE)
RUN = Run(
    "net.onnx",
    DIGEST,
    Device("a renderer", "a version"),
    {"layout": "linear"},
    {"x": X},
    ("y",),
    (HeldTensor("y", "act", "Relu", "float32", "float32", np.maximum(X, 0)),),
)


@pytest.fixture
def plan() -> Plan:
    return pipeline.plan_of(relu())


@pytest.fixture
def kept(tmp_path: Path) -> Path:
    path = tmp_path / "golden.npz"
    save_golden(path, RUN, {"texelscope": "1"})
    return path


def rewritten(path: Path, change: Callable[[dict[str, Any]], Any], **members: bytes) -> None:
    """The golden with another text, and other members of those names (`_` for `.`)."""
    with zipfile.ZipFile(path) as archive:
        held = {name: archive.read(name) for name in archive.namelist()}
    text = json.loads(held["golden.json"])
    change(text)
    held |= {"golden.json": json.dumps(text).encode()} | {
        name.replace("_", "."): data for name, data in members.items()
    }
    with zipfile.ZipFile(path, "w") as archive:
        for name, data in held.items():
            archive.writestr(name, data)


def refusal(path: Path, plan: Plan, digest: str = DIGEST) -> str:
    with pytest.raises(TexelscopeError) as caught:
        load_golden(path, plan, digest)
    text = str(caught.value)
    assert text.startswith(str(path))
    assert "\n" not in text
    return text.removeprefix(f"{path}: ")


def test_a_run_comes_back_with_the_tolerances_of_its_tensors(kept: Path, plan: Plan) -> None:
    golden = load_golden(kept, plan, DIGEST)
    assert (golden.run.target, golden.run.digest, golden.run.device) == (RUN.target, RUN.digest, RUN.device)
    assert (golden.run.outputs, dict(golden.run.settings)) == (
        ("y",),
        {"layout": "linear", "saved by": "texelscope 1"},
    )
    assert np.array_equal(golden.run.inputs["x"], X)
    (tensor,) = golden.run.tensors
    assert np.array_equal(tensor.values, np.maximum(X, 0))
    assert golden.tolerances["y"] == RUN.tensors[0].tolerance
    assert golden.tolerances["y"].rtol == pytest.approx(1.5e-5, rel=0.1)


def test_numpy_reads_it_without_pickles(kept: Path) -> None:
    with np.load(kept, allow_pickle=False) as arrays:
        assert np.array_equal(arrays["i0"], X)


def test_a_tolerance_may_be_edited_in_the_file(kept: Path, plan: Plan) -> None:
    rewritten(kept, lambda text: text["tensors"][0].update(rtol=0.5, atol=0.25))
    assert load_golden(kept, plan, DIGEST).tolerances == {"y": Tolerance(0.5, 0.25)}
    rewritten(kept, lambda text: text["tensors"][0].update(rtol=-1))
    assert refusal(kept, plan) == "expected tolerances of 'y' from 0 on, got -1.0, 0.25. Correct golden.json in it."


def test_a_golden_of_another_model_is_refused(kept: Path, plan: Plan) -> None:
    assert refusal(kept, plan, "cd" * 32) == (
        "expected a golden of this model (sha256 cdcdcdcdcdcd…), got one of 'net.onnx' (abababababab…). "
        "Save one anew with --save-golden."
    )


def test_a_golden_of_another_version_is_refused(kept: Path, plan: Plan) -> None:
    rewritten(kept, lambda text: text.update(version=7))
    assert refusal(kept, plan) == (
        "expected a golden of version 1, got version 7. Save it anew with --save-golden, or update the program."
    )


@pytest.mark.parametrize("share", [0.0, 0.3, 0.9])
def test_a_golden_that_was_cut_off_is_refused(kept: Path, plan: Plan, share: float) -> None:
    data = kept.read_bytes()
    kept.write_bytes(data[: int(len(data) * share)])
    assert refusal(kept, plan) == "expected a readable golden, got no zip archive. Save it anew with --save-golden."


def test_an_archive_that_is_no_golden_is_refused(tmp_path: Path, plan: Plan) -> None:
    path = tmp_path / "layers.npz"
    np.savez(path, y=X)
    assert refusal(path, plan) == "expected a golden with a golden.json, got none. Save one with --save-golden."


def test_a_text_that_is_not_a_goldens_is_refused(kept: Path, plan: Plan) -> None:
    rewritten(kept, lambda text: text.update(kind="other"))
    assert refusal(kept, plan).startswith("expected a golden.json of a golden, got another text.")


def pickled() -> bytes:
    header = b"{'descr': '|O', 'fortran_order': False, 'shape': (192,), }".ljust(117)
    return b"\x93NUMPY\x01\x00v\x00" + header + b"\n" + b"c" * 768


@pytest.mark.parametrize(
    "damage",
    [
        {"t0_npy": b""},
        {"t0_npy": b"x" * 800},
        {"t0_npy": b"x" * 10_000_000},
        {"t0_npy": pickled()},
    ],
)
def test_arrays_of_other_sizes_or_kinds_are_refused_before_they_are_unpacked(
    kept: Path, plan: Plan, damage: dict[str, bytes]
) -> None:
    rewritten(kept, lambda text: None, **damage)
    assert refusal(kept, plan).startswith("expected a whole golden file, got one that is damaged (")


def test_an_array_that_would_unpack_to_more_than_its_tensor_takes_is_not_unpacked(kept: Path, plan: Plan) -> None:
    rewritten(kept, lambda text: None, t0_npy=b"x" * 10_000_000)
    assert "(ValueError('t0.npy has 10000000 bytes'))" in refusal(kept, plan)


@pytest.mark.parametrize("key", ["sha256", "inputs", "tensors", "device", "outputs"])
def test_a_text_without_a_part_is_refused(kept: Path, plan: Plan, key: str) -> None:
    rewritten(kept, lambda text: text.pop(key))
    assert refusal(kept, plan).startswith("expected a whole golden file, got one that is damaged (KeyError(")


def test_an_input_of_another_shape_says_how_to_plan_for_it(kept: Path, plan: Plan) -> None:
    rewritten(kept, lambda text: text["inputs"][0].update(shape=[1, 3, 4, 4]))
    assert refusal(kept, plan) == (
        "expected input 'x' of shape [1, 3, 8, 8], got [1, 3, 4, 4]. Plan for it with --shape x=1,3,4,4."
    )


def test_a_file_that_is_not_there(tmp_path: Path, plan: Plan) -> None:
    found = refusal(tmp_path / "none.npz", plan)
    assert found == "expected a golden, got no such file. Check the path."


def test_a_golden_is_written_whole_or_not_at_all(kept: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = kept.read_bytes()

    def full(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(np, "save", full)
    message = r"golden\.npz: expected a file that can be written, got No space left on device\. Choose another path\."
    with pytest.raises(TexelscopeError, match=message):
        save_golden(kept, RUN, {})
    assert kept.read_bytes() == before
    assert [each.name for each in kept.parent.iterdir()] == ["golden.npz"]

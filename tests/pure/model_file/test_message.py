"""Files from strangers: what is no model is told in a line, and nothing outside the folder is read."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from onnx import helper, numpy_helper

from tests.checkout import ROOT
from tests.pure.models import array, external, model, node, relu, tensor, value
from texelscope.pipeline.errors import TexelscopeError
from texelscope.pipeline.importers.onnx_model import load
from texelscope.pipeline.model_file import message as onnx_file

FACADES = ROOT / "examples" / "facades" / "facades.onnx"


def refusal(path: Path) -> str:
    with pytest.raises(TexelscopeError) as caught:
        load(path)
    return str(caught.value)


def scaled(*tensors: onnx.TensorProto) -> onnx.ModelProto:
    return model([node("Mul", "x w", "y", "scale")], tensors=tensors)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (FACADES.read_bytes()[:50_000], "expected an ONNX model, got something else or a truncated file"),
        (b"A text file is no model.\n" * 20, "expected an ONNX model, got something else or a truncated file"),
        (b"", "expected an ONNX model with nodes, got a file without any. Export or download it again."),
        (relu().SerializeToString()[:-30], "m.onnx: expected "),
        (model([]).SerializeToString(), "expected an ONNX model with nodes, got a file without any"),
    ],
    ids=["truncated", "text", "empty", "cut", "no nodes"],
)
def test_what_is_no_model_is_told(tmp_path: Path, content: bytes, message: str) -> None:
    (tmp_path / "m.onnx").write_bytes(content)
    assert message in refusal(tmp_path / "m.onnx")


def test_a_missing_file_is_told() -> None:
    with pytest.raises(TexelscopeError, match=r"no\.onnx: expected an ONNX file, got no such file\. Check the path\."):
        load(Path("no.onnx"))


def test_a_file_larger_than_the_format_holds_is_not_read(tmp_path: Path) -> None:
    with (tmp_path / "m.onnx").open("wb") as file:
        file.truncate(onnx_file.MAX_MESSAGE_BYTES + 1)  # sparse: takes no disk
    assert "expected at most 2147483647 bytes, got 2147483648. Use external data." in refusal(tmp_path / "m.onnx")


@pytest.mark.parametrize("opset", [99, 0, -4])
def test_an_opset_that_is_not_known_is_refused(opset: int) -> None:
    with pytest.raises(TexelscopeError, match=rf"net: expected an opset from 1 to \d+, got {opset}\. Convert it"):
        load(model([node("Relu", "x", "y")], opset=opset))


def test_functions_that_call_themselves_are_refused() -> None:
    opsets = [helper.make_opsetid("", 17), helper.make_opsetid("own", 1)]
    function = helper.make_function("own", "F", ["a"], ["b"], [node("F", "a", "b", domain="own")], opsets)
    graph = helper.make_graph([node("F", "x", "y", domain="own")], "net", [value("x")], [value("y")])
    broken = helper.make_model(graph, functions=[function], opset_imports=opsets)
    with pytest.raises(
        TexelscopeError, match="net: expected functions that can be inlined, got 'F', which calls itself"
    ):
        load(broken)


def test_functions_are_inlined() -> None:
    opsets = [helper.make_opsetid("", 17), helper.make_opsetid("own", 1)]
    function = helper.make_function("own", "F", ["a"], ["b"], [node("Relu", "a", "b")], opsets)
    graph = helper.make_graph([node("F", "x", "y", domain="own")], "net", [value("x")], [value("y")])
    loaded = load(helper.make_model(graph, functions=[function], opset_imports=opsets, ir_version=10))
    assert [each.op_type for each in loaded.nodes] == ["Relu"]


@pytest.mark.parametrize(
    ("broken", "message"),
    [
        (tensor("w", [1 << 20, 1 << 20], b"1234"), r"expected data of shape \[1048576, 1048576\], got 4 bytes"),
        (tensor("w", [1 << 20, 1 << 20], b""), r"expected data of shape \[1048576, 1048576\]"),
        (tensor("w", [-1], b"1234"), r"expected sizes of at least 0, got \[-1\]"),
        (tensor("w", [1], b"1234", element=77), "expected a known element type, got number 77"),
        (tensor("w", [1], b"123"), r"expected data of shape \[1\]"),
    ],
    ids=["short", "none", "negative", "type", "bytes"],
)
def test_a_weight_that_is_not_what_it_claims_is_told(broken: onnx.TensorProto, message: str) -> None:
    with pytest.raises(TexelscopeError, match=rf"tensor 'w' \(net\): {message}"):
        load(scaled(broken))


class TestExternalData:
    """Weights in files of their own."""

    WEIGHTS = np.array([1.5, -2.0, 3.0], np.float32)

    def saved(self, folder: Path, **entries: str) -> Path:
        self.WEIGHTS.tofile(folder / "w.bin")
        path = folder / "m.onnx"
        path.write_bytes(scaled(external("w", [1, 3, 1, 1], **entries)).SerializeToString())
        return path

    def test_a_file_beside_the_model_is_read(self, tmp_path: Path) -> None:
        graph = load(self.saved(tmp_path, location="w.bin"))
        np.testing.assert_array_equal(graph.constants["w"].ravel(), self.WEIGHTS)

    def test_offset_and_length_are_kept_to(self, tmp_path: Path) -> None:
        (tmp_path / "all.bin").write_bytes(b"abcd" + self.WEIGHTS.tobytes() + b"efgh")
        graph = load(self.saved(tmp_path, location="all.bin", offset="4", length="12"))
        np.testing.assert_array_equal(graph.constants["w"].ravel(), self.WEIGHTS)

    def test_a_folder_of_weights_is_fine(self, tmp_path: Path) -> None:
        (tmp_path / "weights").mkdir()
        self.WEIGHTS.tofile(tmp_path / "weights" / "w.bin")
        assert load(self.saved(tmp_path, location="weights/w.bin")).constants["w"].size == 3

    @pytest.mark.parametrize(
        ("entries", "message"),
        [
            ({"location": "no.bin"}, "expected its data in 'no.bin' beside the model, got no such file. Put it there."),
            ({}, "expected its data in '' beside the model, got something else"),
            ({"location": "../w.bin"}, "expected its data inside the model's folder, got '../w.bin', which leads out"),
            ({"location": "a/../../../x"}, "which leads out of it. Put the file beside the model."),
            ({"location": "/dev/zero"}, "got '/dev/zero', which leads out of it"),
            ({"location": "w\0.bin"}, "expected a file name for its data, got a name that no file can have"),
            ({"location": "w" * 5000}, "expected a file name for its data, got "),
            ({"location": "w.bin", "offset": "x"}, "expected whole numbers as offset and length, got 'x' and ''"),
            ({"location": "w.bin", "offset": "-4"}, "expected a range inside 'w.bin', got bytes -4 to 12 of 12"),
            ({"location": "w.bin", "offset": "99"}, "expected a range inside 'w.bin', got bytes 99 to 99 of 12"),
            ({"location": "w.bin", "length": "13"}, "expected a range inside 'w.bin', got bytes 0 to 13 of 12"),
            ({"location": "w.bin", "length": "8"}, "expected data of shape [1, 3, 1, 1]"),
        ],
        ids=lambda case: "-".join(f"{k}{v[:12]!r}" for k, v in case.items()) if isinstance(case, dict) else None,
    )
    def test_anything_else_is_refused(self, tmp_path: Path, entries: dict[str, str], message: str) -> None:
        text = refusal(self.saved(tmp_path, **entries))
        assert text.startswith("tensor 'w' (m.onnx): expected ")
        assert message in text

    def test_a_link_that_leads_out_is_not_followed(self, tmp_path: Path) -> None:
        (tmp_path / "secret").write_bytes(bytes(12))
        (tmp_path / "model").mkdir()
        path = self.saved(tmp_path / "model", location="link.bin")
        (tmp_path / "model" / "link.bin").symlink_to(tmp_path / "secret")
        assert "got 'link.bin', which leads out of it" in refusal(path)

    def test_a_file_that_may_not_be_read_is_told(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        path = self.saved(tmp_path, location="w.bin")
        real = os.open

        def denied(path: Any, *arguments: Any, **options: Any) -> int:
            if path == "w.bin":
                raise PermissionError(13, "Permission denied")
            return real(path, *arguments, **options)

        monkeypatch.setattr(os, "open", denied)
        assert "tensor 'w' (m.onnx): expected a readable file, got one that you may not read" in refusal(path)

    def test_tensors_in_attributes_and_bodies_stay_inside_too(self, tmp_path: Path) -> None:
        inner = node("Constant", "", "c", value=external("w", [1], location="../w.bin"))
        body = helper.make_graph([inner], "body", [], [value("c", [1])])
        outer = [node("If", "t", "y", then_branch=body, else_branch=body)]
        path = tmp_path / "m.onnx"
        path.write_bytes(model(outer, weights={"t": np.array(True)}).SerializeToString())
        assert "got '../w.bin', which leads out of it" in refusal(path)

    def test_a_model_in_memory_has_no_folder(self) -> None:
        with pytest.raises(TexelscopeError, match=r"tensor 'w' .*expected a model with its data, got external data"):
            load(scaled(external("w", [1, 3, 1, 1], location="w.bin")))


class TestSparseInitializers:
    """Weights that list what is not zero."""

    @staticmethod
    def sparse(indices: list[int] | list[list[int]], dims: list[int]) -> onnx.ModelProto:
        made = model([node("Mul", "x w", "y")])
        values = numpy_helper.from_array(np.array([2, 3], np.float32), "w")
        places = numpy_helper.from_array(np.array(indices, np.int64), "w places")
        made.graph.sparse_initializer.append(helper.make_sparse_tensor(values, places, dims))
        return made

    @pytest.mark.parametrize("indices", [[0, 2], [[0, 0, 0, 0], [0, 2, 0, 0]]], ids=["linear", "places"])
    def test_zeros_are_filled_in(self, indices: list[int]) -> None:
        weights = load(self.sparse(indices, [1, 3, 1, 1])).constants["w"]
        np.testing.assert_array_equal(weights, np.array([2, 0, 3], np.float32).reshape(1, 3, 1, 1))

    @pytest.mark.parametrize(
        ("indices", "dims", "message"),
        [
            ([0, 9], [1, 3, 1, 1], r"expected indices inside \[1, 3, 1, 1\], got index 9 is out of bounds"),
            ([[0, 0, 0, 0], [0, 9, 0, 0]], [1, 3, 1, 1], r"expected indices inside \[1, 3, 1, 1\]"),
            ([0, 2], [1 << 20, 1 << 20], "expected at most 2,147,483,647 elements, got 1,099,511,627,776"),
            ([0, 2], [1, -3, 1, 1], r"expected sizes of at least 0, got \[1, -3, 1, 1\]"),
        ],
    )
    def test_what_does_not_fit_is_told(self, indices: list[int], dims: list[int], message: str) -> None:
        with pytest.raises(TexelscopeError, match=rf"sparse tensor 'w' \(net\): {message}"):
            load(self.sparse(indices, dims))


def test_names_that_are_no_text_are_told() -> None:
    content = relu().SerializeToString().replace(b"Relu", b"R\xffl\xfe")
    with pytest.raises(TexelscopeError, match="net: expected names in UTF-8, got b'R"):
        load(onnx.load_model_from_string(content))


@settings(max_examples=150)
@given(st.data())
def test_no_bytes_get_past_the_one_line_error(data: st.DataObject) -> None:
    """Damage anywhere: cut, overwritten, or noise. What still loads is a graph; all else is a TexelscopeError."""
    content = bytearray(
        model(
            [node("Conv", "x w", "c", "conv", pads=[1, 1, 1, 1]), node("Relu", "c", "y", "act")],
            weights={"w": array(3, 3, 3, 3)},
        ).SerializeToString()
    )
    header = [i for i in range(len(content)) if i < 90 or i > 560]
    for place in data.draw(st.lists(st.sampled_from(header), min_size=1, max_size=4)):
        content[place] = data.draw(st.integers(0, 255))
    try:
        broken = onnx.load_model_from_string(bytes(content))
    except Exception:  # noqa: BLE001 - what does not parse is tested above
        return
    with contextlib.suppress(TexelscopeError):
        load(broken)

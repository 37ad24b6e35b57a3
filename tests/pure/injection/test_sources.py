"""Tests values by tensor name: from files, from the oracle, from ONNX Runtime."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper

from tests.pure.models import model, node, value
from texelscope.pipeline.errors import TexelscopeError
from texelscope.pipeline.importers.onnx_model import load
from texelscope.pipeline.injection.runtime_values import RuntimeValues, part_of, reason
from texelscope.pipeline.injection.sources import FileValues, FolderValues, OracleValues

A = np.arange(6, dtype=np.float32).reshape(2, 3)


class TestFiles:
    """Tests an .npy, an .npz, a folder of .npy files."""

    def test_double_precision_becomes_single_and_whole_numbers_stay(self, tmp_path: Path) -> None:
        np.save(tmp_path / "a.npy", A.astype(np.float64))
        np.save(tmp_path / "b.npy", A.astype(np.int64))
        values = FileValues({"a": tmp_path / "a.npy", "b": tmp_path / "b.npy"})
        assert [values.value(name).dtype.name for name in "ab"] == ["float32", "int64"]
        with pytest.raises(TexelscopeError, match=r"tensor 'c': expected a file for it, got none\. Name one: --inject"):
            values.value("c")

    def test_an_archive_of_one_is_that_one_and_others_go_by_name(self, tmp_path: Path) -> None:
        np.savez(tmp_path / "one.npz", A)
        np.savez(tmp_path / "two.npz", a=A, b=-A)
        np.testing.assert_array_equal(FileValues({"t": tmp_path / "one.npz"}).value("t"), A)
        np.testing.assert_array_equal(FileValues({"b": tmp_path / "two.npz"}).value("b"), -A)
        with pytest.raises(
            TexelscopeError, match=r"'t' \(two\.npz\): expected an array of the tensor's name, got others"
        ):
            FileValues({"t": tmp_path / "two.npz"}).value("t")

    def test_what_is_no_archive_is_told(self, tmp_path: Path) -> None:
        (tmp_path / "bad.npz").write_bytes(b"no zip")
        with pytest.raises(TexelscopeError, match=r"expected a readable \.npz file, got no zip archive\. Save it with"):
            FileValues({"t": tmp_path / "bad.npz"}).value("t")
        with pytest.raises(TexelscopeError, match=r"expected an \.npz file, got no such file\. Check the path"):
            FileValues({"t": tmp_path / "none.npz"}).value("t")

    def test_a_folder_has_files_of_the_tensors_names(self, tmp_path: Path) -> None:
        np.save(tmp_path / "a.npy", A)
        np.save(tmp_path / "Relu_0.npy", -A)
        values = FolderValues(tmp_path)
        np.testing.assert_array_equal(values.value("a"), A)
        np.testing.assert_array_equal(values.value("Relu:0"), -A)
        with pytest.raises(TexelscopeError, match=r"expected 'aa\.npy', got no such file\. Did you mean 'a'"):
            values.value("aa")

    def test_a_name_leads_out_of_no_folder(self, tmp_path: Path) -> None:
        np.save(tmp_path / "secret.npy", A)
        (tmp_path / "in").mkdir()
        with pytest.raises(TexelscopeError, match="got no such file"):
            FolderValues(tmp_path / "in").value("../secret")


class TestOracle:
    """Tests the model evaluated on numpy."""

    def test_it_goes_on_from_what_is_known(self) -> None:
        nodes = [node("Mystery", "x", "a", domain="m"), node("NonZero", "a", "y")]
        oracle = OracleValues(load(model(nodes, outputs=[value("y", None)])), {})
        with pytest.raises(TexelscopeError):
            oracle.value("y")
        oracle.follow(load(model(nodes, outputs=[value("y", None)])), {"a": np.array([[0.0, 2.0]], np.float32)})
        assert oracle.value("y").tolist() == [[0], [1]]


class TestRuntime:
    """ONNX Runtime, asked for no more of the model than a tensor takes."""

    def contributed(self) -> onnx.ModelProto:
        """x → Neg → an operator that ONNX Runtime has and this program has not; beside it one that neither has."""
        nodes = [
            node("Neg", "x", "n"),
            node("CropAndResize", "n boxes which size", "y", domain="com.microsoft"),
            node("Mystery", "x", "z", domain="some.where"),
        ]
        made = model(
            nodes,
            [value("x", [1, 1, 4, 4])],
            [value("y", None), value("z", None)],
            weights={
                "boxes": np.array([[0, 0, 1, 1]], np.float32),
                "which": np.array([0], np.int32),
                "size": np.array([2, 2], np.int32),
            },
        )
        made.opset_import.append(helper.make_opsetid("com.microsoft", 1))
        made.opset_import.append(helper.make_opsetid("some.where", 1))
        return made

    def test_what_the_rest_of_the_model_has_in_it_does_not_matter(self) -> None:
        x = np.arange(16, dtype=np.float32).reshape(1, 1, 4, 4)
        values = RuntimeValues(self.contributed(), {"x": x}, ["y", "z"])
        np.testing.assert_array_equal(values.value("y"), -x[:, :, ::3, ::3])
        with pytest.raises(
            TexelscopeError, match="ONNX Runtime: expected a model that it runs, got 'Fatal error: some"
        ):
            values.value("z")

    def test_onnx_runtime_is_told_to_keep_quiet_before_it_is_imported(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.delenv("ORT_DISABLE_TELEMETRY", raising=False)
        monkeypatch.setattr("texelscope.pipeline.injection.runtime_values.is_installed", lambda: True)
        monkeypatch.setitem(sys.modules, "onnxruntime", None)  # importing it ends here
        with pytest.raises(ImportError):
            RuntimeValues(self.contributed(), {}, ["y"]).value("y")
        assert os.environ["ORT_DISABLE_TELEMETRY"] == "1"

    def test_a_tensor_that_the_file_does_not_have_is_told(self) -> None:
        with pytest.raises(
            TexelscopeError, match=r"ONNX Runtime: expected a tensor of the file, got 'loop/0/v', made of"
        ):
            RuntimeValues(self.contributed(), {}, []).value("loop/0/v")

    def test_a_part_has_what_it_needs_and_no_more(self) -> None:
        part = part_of(self.contributed(), ["n"])
        assert [each.op_type for each in part.graph.node] == ["Neg"]
        assert ([each.name for each in part.graph.input], len(part.graph.initializer)) == (["x"], 0)
        assert [each.name for each in part.graph.output] == ["n"]

    def test_what_a_body_reads_belongs_to_the_part(self) -> None:
        body = helper.make_graph([node("Add", "k h", "t")], "body", [], [value("t", None)])
        nodes = [node("Neg", "x", "h"), node("If", "c", "y", then_branch=body, else_branch=body)]
        made = model(nodes, [value("x"), value("c", [], TensorProto.BOOL)], weights={"k": A})
        part = part_of(made, ["y"])
        assert [each.op_type for each in part.graph.node] == ["Neg", "If"]
        assert [each.name for each in part.graph.initializer] == ["k"]

    def test_its_words_are_a_line(self) -> None:
        said = reason(
            RuntimeError("[ONNXRuntimeError] : 10 : INVALID_GRAPH : This is\n an invalid model. " + "x" * 200)
        )
        assert said.startswith("This is an invalid model. x")
        assert len(said) == 120

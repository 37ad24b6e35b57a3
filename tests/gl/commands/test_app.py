"""The command line from arguments to exit codes: what works, and one line for what does not."""

from __future__ import annotations

import json
import logging
from pathlib import Path

import numpy as np
import onnx
import pytest
from PIL import Image

from tests.checkout import ROOT
from tests.gl.commands.running import Run
from tests.gl.gl.test_session import change_one_weight
from tests.pure.models import array, external, model, node, relu, saved_conv_and_relu, value
from texelscope.pipeline.commands import listing
from texelscope.pipeline.commands.diff import FAILED, MATCH, MISMATCH, diff, exit_code, text
from texelscope.pipeline.target import OpenOptions, Target

FACADES = ROOT / "examples" / "facades"
DYNAMIC = ("N", 3, "H", "W")


def save(folder: Path, made: onnx.ModelProto) -> Path:
    path = folder / "m.onnx"
    path.write_bytes(made.SerializeToString())
    return path


class TestDiff:
    """Tests texelscope diff."""

    def test_the_bundled_network_matches_in_every_pass_as_json_on_standard_output(self, run: Run) -> None:
        assert run("diff", FACADES / "facades.onnx", "--json", "-") == MATCH
        report = json.loads(run.out)
        assert report["version"] == 1
        assert report["verdict"] == "match"
        assert report["culprit"] is None
        assert len(report["passes"]) == 30
        assert {each["verdict"] for each in report["passes"]} == {"match"}

    def test_one_weight_changed_on_the_gpu_alone_exits_1_and_names_its_pass(self, tmp_path: Path) -> None:
        target = Target(str(saved_conv_and_relu(tmp_path)), OpenOptions(layout="channel_tiles"))
        report = diff(target, prepare=lambda session: change_one_weight(session, "conv")).report
        assert exit_code(report) == MISMATCH
        assert report.culprit == "conv"
        assert "\nFirst wrong pass: conv" in text(report)

    def test_a_table_and_a_page(self, run: Run, tmp_path: Path) -> None:
        page = tmp_path / "report.html"
        assert run("diff", save(tmp_path, relu()), "--html", page) == MATCH
        assert "1 of 1 passes match on " in run.out
        assert page.read_text().startswith("<!DOCTYPE html>")

    def test_the_page_on_standard_output_is_alone_there(self, run: Run, tmp_path: Path) -> None:
        assert run("diff", save(tmp_path, relu()), "--html", "-") == MATCH
        assert run.out.startswith("<!DOCTYPE html>")
        assert run.out.rstrip().endswith("</html>")

    def test_both_on_standard_output_are_one_too_many(self, run: Run, tmp_path: Path) -> None:
        message = run.refusal("diff", save(tmp_path, relu()), "--html", "-", "--json", "-")
        assert "--html: expected one report on standard output, got two. Write one of them to a file." in message

    @pytest.mark.parametrize("option", ["--json", "--html"])
    def test_a_report_that_cannot_be_written_is_told(self, run: Run, tmp_path: Path, option: str) -> None:
        message = run.refusal("diff", save(tmp_path, relu()), option, tmp_path)
        assert "expected a file that can be written, got Is a directory. Choose another path." in message

    def test_rounding_by_the_chosen_storage_is_no_fault(self, run: Run, tmp_path: Path) -> None:
        made = model([node("Conv", "x w", "y")], outputs=[value("y", None)], weights={"w": array(4, 3, 3, 3)})
        assert run("diff", save(tmp_path, made), "--precision", "float16") == MATCH
        assert "Only off by storage rounding, first: y" in run.out

    def test_an_operator_that_is_not_supported_is_named_with_its_node_and_what_follows_is_not_run(
        self, run: Run, tmp_path: Path
    ) -> None:
        nodes = [node("Foo", "x", "a", "odd", domain="own"), node("Relu", "a", "y", "after")]
        assert run("diff", save(tmp_path, model(nodes))) == FAILED
        assert "odd: Foo 'odd' (m.onnx): expected an operator that runs as a pass, got 'own.Foo'." in run.out
        assert [line.split()[:2] for line in run.out.splitlines()[1:3]] == [["○", "odd"], ["○", "after"]]

    def test_names_cannot_steer_the_terminal(self, run: Run, tmp_path: Path) -> None:
        assert run("diff", save(tmp_path, model([node("Relu", "x", "y", "\x1b[31m\nred")]))) == MATCH
        assert "\\x1b[31m\\nred" in run.out
        assert "\x1b" not in run.out

    def test_shapes_and_inputs_by_name(self, run: Run, tmp_path: Path) -> None:
        made = model([node("Relu", "x", "y")], [value("x", DYNAMIC)], [value("y", DYNAMIC)])
        Image.fromarray(np.zeros((5, 7, 3), np.uint8)).save(tmp_path / "p.png")
        arguments = ("--shape", "x=1,3,5,7", "--input", f"x={tmp_path / 'p.png'}")
        assert run("diff", save(tmp_path, made), *arguments) == MATCH
        assert "1x3x5x7" in run.out


class TestWideTensors:
    """Tests that a tensor too wide for a texture in the requested layout stops no model."""

    def test_a_vector_wider_than_a_texture_is_stored_otherwise_and_it_is_said(
        self, run: Run, tmp_path: Path, caplog: pytest.LogCaptureFixture
    ) -> None:
        nodes = [node("Flatten", "x", "flat"), node("Relu", "flat", "act"), node("ReduceMax", "act", "y", axes=[1])]
        wide = model(nodes, [value("x", [1, 5, 100, 100])], [value("y", None)])
        assert run("diff", save(tmp_path, wide)) == MATCH
        assert not [each for each in caplog.records if each.levelno >= logging.WARNING], "nobody asked for a layout"
        assert run("diff", save(tmp_path, wide), "--layout", "channel_tiles") == MATCH
        assert [record.message for record in caplog.records if record.levelno >= logging.WARNING] == [
            "m.onnx: expected tensors that fit a texture of 16384 texels a side in channel_tiles, got "
            "'flat' [1, 50000], 'act' [1, 50000]. Stored in row_major_rgba instead."
        ]


class TestBadInput:
    """Each gets its line."""

    @pytest.mark.parametrize(
        ("content", "message"),
        [
            ((FACADES / "facades.onnx").read_bytes()[:50_000], "something else or a truncated file"),
            (b"This is no model.\n" * 30, "something else or a truncated file"),
            (b"", "expected an ONNX model with nodes, got a file without any"),
            (bytes(range(256)) * 9, "something else or a truncated file"),
        ],
        ids=["truncated", "text", "empty", "noise"],
    )
    def test_what_is_no_model(self, run: Run, tmp_path: Path, content: bytes, message: str) -> None:
        (tmp_path / "m.onnx").write_bytes(content)
        assert message in run.refusal("diff", tmp_path / "m.onnx")

    @pytest.mark.parametrize(
        ("made", "message"),
        [
            (
                model([node("Relu", "x", "y")], [value("x", [1, 0, 8, 8])], [value("y", None)]),
                "input 'x' (m.onnx): expected a shape of positive sizes, got [1, 0, 8, 8].",
            ),
            (
                model([node("Relu", "x", "y")], [value("x", [1, 1, 70000, 70000])], [value("y", None)]),
                "expected at most 2,147,483,647 elements, got 4,900,000,000 of 'x' [1, 1, 70000, 70000].",
            ),
            (
                model([node("Relu", "x", "y")], [value("x", [1, 1, 1 << 40, 8])], [value("y", None)]),
                "expected sizes of at most 2147483647",
            ),
            (
                model([node("Relu", "x", "y")], [value("x", DYNAMIC)], [value("y", None)]),
                "got [N,3,H,W]. Give one, such as --shape x=1,3,224,224",
            ),
            (model([node("Relu", "q", "y", "r")]), "Relu 'r' (m.onnx): expected inputs that the model has, got 'q'."),
            (model([node("Relu", "y", "y")]), "expected nodes in an order that can run, got a circle: Relu 'y'."),
            (model([node("Relu", "x", "y")] * 2), "tensor 'y' (m.onnx): expected a name that is given once, got two"),
            (model([node("Relu", "x", "y")], opset=99), "m.onnx: expected an opset from 1 to"),
            (
                model([node("Mul", "x w", "y")], tensors=[external("w", [1], location="../../secret")]),
                "tensor 'w' (m.onnx): expected its data inside the model's folder, got '../../secret'",
            ),
            (
                model([node("Mul", "x w", "y")], tensors=[external("w", [1], location="w.bin")]),
                "tensor 'w' (m.onnx): expected its data in 'w.bin' beside the model, got no such file.",
            ),
        ],
        ids=["zero", "large", "huge", "free", "missing", "circle", "twice", "opset", "outside", "lost"],
    )
    def test_a_model_that_cannot_run(self, run: Run, tmp_path: Path, made: onnx.ModelProto, message: str) -> None:
        assert message in run.refusal("diff", save(tmp_path, made))

    @pytest.mark.parametrize(
        ("arguments", "message"),
        [
            (("--input", "x=small.png"), "input 'x' (small.png): expected a picture of 8x8 (width x height), got 4x4."),
            (("--input", "nan.npy"), "expected finite numbers, got 1 NaN or infinite ones, the first at [0, 1, 2, 3]"),
            (("--input", "none.png"), "input 'x' (none.png): expected a picture, got no such file."),
            (("--input", "noise.png"), "input 'x' (noise.png): expected a readable picture, got "),
            (("--input", "noise.npy"), "input 'x' (noise.npy): expected a readable .npy file, got "),
            (("--input", "y=ramp"), "--input: expected an input of the model (x), got 'y'. Correct the name."),
            (
                ("--input", "rump"),
                "expected a picture, an .npy file or a test pattern, got 'rump'. Did you mean 'ramp'?",
            ),
            (("--shape", "x"), "--shape: expected NAME=1,3,224,224, got 'x'. Name the tensor and give all its sizes."),
            (("--shape", "x=1,3,8," + "9" * 5000), "--shape: expected NAME=1,3,224,224"),
            (("--shape", "y=1"), "--shape y: expected what Relu 'act' (m.onnx) makes, [1,3,8,8], got [1]."),
            (
                ("--shape", "x=1,3,9,9"),
                "expected a shape that agrees with [1,3,8,8], got [1, 3, 9, 9]. Change --shape.",
            ),
            (("--layout", "chanel_tiles"), "got 'chanel_tiles'. Did you mean 'channel_tiles'?"),
        ],
    )
    def test_arguments_that_do_not_fit(
        self, run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: tuple[str, ...], message: str
    ) -> None:
        path = save(tmp_path, relu())
        monkeypatch.chdir(tmp_path)
        Image.fromarray(np.zeros((4, 4, 3), np.uint8)).save("small.png")
        values = np.zeros((1, 3, 8, 8), np.float32)
        values[0, 1, 2, 3] = np.nan
        np.save("nan.npy", values)
        for name in ("noise.png", "noise.npy"):
            Path(name).write_bytes(bytes(range(256)))
        assert message in run.refusal("diff", path, *arguments)

    @pytest.mark.parametrize("target", ["missing.onnx", "folder.onnx", "zero\0byte.onnx", "model.txt", "", "a\nb.onnx"])
    @pytest.mark.parametrize("command", ["diff", "export"])
    def test_a_target_that_is_none(self, run: Run, tmp_path: Path, command: str, target: str) -> None:
        (tmp_path / "folder.onnx").mkdir()
        more = ("--to", str(tmp_path / "out")) if command == "export" else ()
        assert "expected " in run.refusal(command, f"{tmp_path}/{target}" if target else target, *more)

    def test_an_input_without_a_name_where_there_are_several(self, run: Run, tmp_path: Path) -> None:
        made = model([node("Add", "a b", "y")], [value("a"), value("b")])
        message = run.refusal("diff", save(tmp_path, made), "--input", "ramp")
        assert "--input: expected NAME=FILE, NAME one of a, b, got 'ramp'. Add the name." in message


class TestExport:
    """Tests texelscope export."""

    def test_layers_are_written(self, run: Run, tmp_path: Path) -> None:
        assert run("export", save(tmp_path, relu()), "--to", tmp_path / "out", "--format", "png,npy") == 0
        assert sorted(path.name for path in (tmp_path / "out").iterdir()) == ["000_act.npy", "000_act.png"]
        assert run.out == f"2 files in {tmp_path / 'out'}\n"

    @pytest.mark.parametrize(
        ("option", "word", "message"),
        [("--format", "jpg", "--format: expected png, npy, npz or exr"), ("--pass", "act2", "Did you mean 'act'?")],
    )
    def test_what_does_not_exist(self, run: Run, tmp_path: Path, option: str, word: str, message: str) -> None:
        path = save(tmp_path, relu())
        assert message in run.refusal("export", path, "--to", tmp_path / "out", option, word)


class TestOthers:
    """Commands that say what there is."""

    def test_list_shows_everything_that_is_discovered(self, run: Run) -> None:
        assert run("list") == 0
        for word in (
            "Operators (",
            "Layouts (",
            "Importers (",
            "FusedConv ",
            "channel_tiles_rgba",
            "Conv ",
            ".onnx",
            "one-hot",
        ):
            assert word in run.out

    def test_doctor_names_the_driver_and_what_works(self, run: Run) -> None:
        assert run("doctor") in (0, 1)
        assert "OpenGL without a window" in run.out
        assert "float32 render targets" in run.out

    def test_without_enough_memory_there_is_a_line_too(self, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
        def exhausted(_extra: object) -> str:
            raise MemoryError

        monkeypatch.setattr(listing, "sections", exhausted)
        assert "expected enough memory, got none" in run.refusal("list")

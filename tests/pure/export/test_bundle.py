"""A bundle brings back what was put into it, and nothing that somebody else put there."""

from __future__ import annotations

import json
import shutil
import stat
import zipfile
from collections.abc import Callable
from pathlib import Path

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper, numpy_helper

from tests.checkout import ROOT
from tests.ncnn_shaders import write_relu
from tests.small_models import two_layers
from texelscope import pipeline
from texelscope.pipeline.device import Limits, WorkGroups
from texelscope.pipeline.errors import TexelscopeError
from texelscope.pipeline.export import bundle
from texelscope.pipeline.export.bundle import MANIFEST, files_of, pack, unpack
from texelscope.pipeline.importers.registry import plan_of
from texelscope.pipeline.target import OpenOptions, Target

EXAMPLE = ROOT / "examples" / "webgl_cnn" / "fixed.toml"
WEIGHT = np.arange(12, dtype=np.float32).reshape(1, 3, 2, 2)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Returns the folder that bundles are unpacked to."""
    path = tmp_path / "unpacked"
    path.mkdir()
    return path


def a_model(path: Path) -> Path:
    """Returns a model whose weights lie in a file beside it."""
    weight = numpy_helper.from_array(WEIGHT, "w")
    node = helper.make_node("Conv", ["x", "w"], ["y"], name="conv")
    x = helper.make_tensor_value_info("x", TensorProto.FLOAT, (1, 3, 4, 4))
    y = helper.make_tensor_value_info("y", TensorProto.FLOAT, (1, 1, 3, 3))
    graph = helper.make_graph([node], "small", [x], [y], [weight])
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    onnx.save(model, str(path), save_as_external_data=True, location="weights.bin", size_threshold=0)
    return path


def a_bundle(tmp_path: Path) -> Path:
    target = Target(str(a_model(tmp_path / "small.onnx")), OpenOptions("row_major_rgba", shapes={"x": (1, 3, 4, 4)}))
    values = {"x": np.full((1, 3, 4, 4), 0.5, dtype=np.float32)}
    pack(tmp_path / "b.texelscope", target, pipeline.plan_of(target.path), values, {"selected": "conv"})
    return tmp_path / "b.texelscope"


def test_a_model_comes_back_with_its_data_its_inputs_and_the_state(tmp_path: Path, folder: Path) -> None:
    found = unpack(a_bundle(tmp_path), folder)
    assert (found.target.options.layout, found.target.options.shapes) == ("row_major_rgba", {"x": (1, 3, 4, 4)})
    assert found.state == {"selected": "conv"}
    assert np.load(found.target.inputs["x"]).ravel()[0] == 0.5
    plan = pipeline.plan_of(found.target.path, layout=found.target.options.layout)
    np.testing.assert_array_equal(plan.constant("w"), WEIGHT)


def test_inputs_of_odd_and_of_like_names_are_kept_apart(tmp_path: Path, folder: Path) -> None:
    names = ("a/b", "a:b", "A_b", "../x")
    values = {name: np.full((1,), number, dtype=np.float32) for number, name in enumerate(names)}
    pack(tmp_path / "b.texelscope", Target(str(EXAMPLE)), pipeline.plan_of(EXAMPLE), values, {})
    found = unpack(tmp_path / "b.texelscope", folder).target.inputs
    assert {name: float(np.load(path)[0]) for name, path in found.items()} == {"a/b": 0, "a:b": 1, "A_b": 2, "../x": 3}


def test_a_pipeline_comes_back_with_all_that_it_names(tmp_path: Path, folder: Path) -> None:
    plan = pipeline.plan_of(EXAMPLE)
    names = {path.name for path in files_of(EXAMPLE, plan)}
    assert names == {"fixed.toml", "model.onnx", "down.frag", "up.frag", "townhouse.png"}
    pack(tmp_path / "b.texelscope", Target(str(EXAMPLE)), plan, {}, {})
    found = unpack(tmp_path / "b.texelscope", folder)
    assert len(pipeline.plan_of(found.target.path).passes) == 6
    assert (folder / "files" / "down.frag").read_bytes() == (EXAMPLE.parent / "down.frag").read_bytes()


def test_a_bundle_that_cannot_be_written_leaves_the_old_one(tmp_path: Path) -> None:
    path = a_bundle(tmp_path)
    before = path.read_bytes()
    plan = pipeline.plan_of(tmp_path / "small.onnx")
    (tmp_path / "small.onnx").unlink()
    with pytest.raises(TexelscopeError, match=r"small.onnx: expected an ONNX"):
        pack(path, Target(str(tmp_path / "small.onnx")), plan, {}, {})
    assert path.read_bytes() == before
    with pytest.raises(KeyboardInterrupt):
        pack(path, Target(str(EXAMPLE)), pipeline.plan_of(EXAMPLE), {}, {}, interrupted)
    assert path.read_bytes() == before
    assert {each.name for each in tmp_path.iterdir()} == {"b.texelscope", "weights.bin"}
    with pytest.raises(TexelscopeError, match=r"expected a bundle that can be written, got .* Choose another place"):
        pack(path / "below", Target(str(EXAMPLE)), pipeline.plan_of(EXAMPLE), {}, {})


def interrupted(_share: float) -> None:
    raise KeyboardInterrupt


def changed(path: Path, change: Callable[[zipfile.ZipFile], None]) -> Path:
    """Returns the bundle with something added to its archive."""
    with zipfile.ZipFile(path, "a") as archive:
        change(archive)
    return path


def _link(archive: zipfile.ZipFile) -> None:
    link = zipfile.ZipInfo("files/link")
    link.external_attr = (stat.S_IFLNK | 0o777) << 16
    archive.writestr(link, "/etc/passwd")


@pytest.mark.parametrize(
    "name", ["../evil", "/evil", "files/../../evil", "files/./evil", "C:/evil", "files\\evil", "evil", "files//evil"]
)
def test_a_path_that_could_lead_out_of_the_folder_is_refused(tmp_path: Path, folder: Path, name: str) -> None:
    path = changed(a_bundle(tmp_path), lambda archive: archive.writestr(name, "x"))
    with pytest.raises(TexelscopeError, match=r"expected files below files and inputs, got .*evil"):
        unpack(path, folder)
    assert not list(folder.iterdir()), "nothing was unpacked"


def test_a_link_is_refused(tmp_path: Path, folder: Path) -> None:
    with pytest.raises(TexelscopeError, match="expected files below files and inputs, got 'files/link'"):
        unpack(changed(a_bundle(tmp_path), _link), folder)


@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_a_file_that_is_there_twice_is_refused(tmp_path: Path, folder: Path) -> None:
    path = changed(a_bundle(tmp_path), lambda archive: archive.writestr("files/Small.onnx", "x"))
    with pytest.raises(TexelscopeError, match=r"expected each file once, got 'files/Small.onnx' twice"):
        unpack(path, folder)


def test_sizes_are_checked_before_anything_is_unpacked(
    tmp_path: Path, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = a_bundle(tmp_path)
    monkeypatch.setattr(bundle, "MAX_BYTES", 500)
    with pytest.raises(TexelscopeError, match="expected at most 500 bytes, got "):
        unpack(path, folder)
    monkeypatch.undo()
    monkeypatch.setattr(bundle, "MAX_FILES", 2)
    with pytest.raises(TexelscopeError, match="expected at most 2 files, got 4"):
        unpack(path, folder)
    monkeypatch.undo()
    monkeypatch.setattr(bundle, "MAX_MANIFEST_BYTES", 10)
    with pytest.raises(TexelscopeError, match=r"expected at most 10 bytes of bundle.json"):
        unpack(path, folder)
    assert not list(folder.iterdir())


def test_what_is_no_bundle_says_so(tmp_path: Path, folder: Path) -> None:
    with pytest.raises(TexelscopeError, match=r"gone.texelscope: expected a bundle, got no such file"):
        unpack(tmp_path / "gone.texelscope", folder)
    (tmp_path / "text.texelscope").write_text("These are no bytes of an archive.")
    with pytest.raises(TexelscopeError, match="expected a readable bundle, got no zip archive"):
        unpack(tmp_path / "text.texelscope", folder)
    path = a_bundle(tmp_path)
    path.write_bytes(path.read_bytes()[:200] + b"\0\0\0\0" + path.read_bytes()[204:])
    with pytest.raises(TexelscopeError, match="expected a file that unpacks, got Bad CRC-32"):
        unpack(path, folder)


def of_manifest(tmp_path: Path, text: str) -> Path:
    """Returns a bundle with only a manifest."""
    path = tmp_path / "m.texelscope"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr(MANIFEST, text)
    return path


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{", "bundle.json: expected JSON"),
        ("[" * 100_000, "bundle.json: expected at most 100 text depth"),
        ('{"version": 99}', "expected a bundle of version 1, got version 99. Use a newer Texelscope"),
        ('{"version": 1, "target": "files/none.onnx"}', "expected the file of its target, got 'files/none.onnx'"),
        ('{"version": 1, "target": "../../etc/passwd"}', "expected the file of its target, got '../../etc/passwd'"),
        ('{"version": 1, "target": 7}', "expected the file of its target, got 7"),
    ],
)
def test_a_manifest_that_makes_no_sense_is_refused(tmp_path: Path, folder: Path, text: str, message: str) -> None:
    with pytest.raises(TexelscopeError) as raised:
        unpack(of_manifest(tmp_path, text), folder)
    assert message in str(raised.value)


def test_an_archive_without_a_manifest_is_refused(tmp_path: Path, folder: Path) -> None:
    with zipfile.ZipFile(tmp_path / "m.texelscope", "w") as archive:
        archive.writestr("files/x", "x")
    with pytest.raises(TexelscopeError, match=r"expected a bundle with bundle.json, got none in it"):
        unpack(tmp_path / "m.texelscope", folder)


def test_odd_entries_of_a_manifest_are_left_out(tmp_path: Path, folder: Path) -> None:
    path = a_bundle(tmp_path)
    shutil.move(path, tmp_path / "old.zip")
    with zipfile.ZipFile(tmp_path / "old.zip") as old, zipfile.ZipFile(path, "w") as new:
        manifest = json.loads(old.read(MANIFEST))
        manifest |= {"layout": 7, "precision": "float8", "shapes": {"x": [1, -2, "3", True]}, "state": [1]}
        manifest |= {"gradients": 3, "wrt": ["x", 4]}
        new.writestr(MANIFEST, json.dumps(manifest))
        for member in old.infolist():
            if member.filename != MANIFEST:
                new.writestr(member.filename, old.read(member))
    found = unpack(path, folder)
    assert (found.target.options.layout, found.target.options.precision) == ("auto", "float32")
    assert found.target.options.shapes == {"x": (1,)}
    assert (found.target.options.gradients, found.target.options.wrt) == ("", ("x",))
    assert not found.state


def test_a_model_opens_with_the_gradients_that_it_was_saved_with(tmp_path: Path, folder: Path) -> None:
    onnx.save(two_layers(), str(tmp_path / "model.onnx"))
    target = Target(str(tmp_path / "model.onnx"), OpenOptions(gradients="y", wrt=("w1", "b1")))
    pack(tmp_path / "saved.zip", target, plan_of(target.path, target.options), {}, {})
    found = unpack(tmp_path / "saved.zip", folder).target
    assert (found.options.gradients, found.options.wrt) == ("y", ("w1", "b1"))
    assert plan_of(found.path, found.options).backward


def test_a_shader_of_ncnn_opens_in_the_mode_that_it_was_saved_in(tmp_path: Path, folder: Path) -> None:
    options = OpenOptions(limits=Limits(work_groups=WorkGroups()), dialect={"mode": "fp16_packed", "channels": "8"})
    target = Target(str(write_relu(tmp_path)), options)
    plan = plan_of(target.path, target.options)
    pack(tmp_path / "saved.zip", target, plan, {}, {})
    found = unpack(tmp_path / "saved.zip", folder).target
    assert dict(found.options.dialect) == {"mode": "fp16_packed", "channels": "8"}
    assert Path(found.path).read_text(encoding="utf-8") == Path(target.path).read_text(encoding="utf-8")

"""Tests that nothing outside a file's folder is opened, whatever it names: Python itself reports each open file."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import pytest
from onnx import helper
from PIL import Image

from tests.pure.captured.folders import plan as captured_plan
from tests.pure.captured.folders import write as write_capture
from tests.pure.models import array, model, node, value
from tests.pure.pipeline_file.folders import COPY, INPUT, PASS, write_folder
from tests.small_models import one_convolution
from tests.webgl_recordings import two_draws
from tests.webgpu_recordings import two_dispatches
from texelscope import pipeline
from texelscope.pipeline.captured.manifest import read_manifest
from texelscope.pipeline.captured.texels import held
from texelscope.pipeline.errors import TexelscopeError
from texelscope.pipeline.export.bundle import files_of
from texelscope.pipeline.injection.sources import FolderValues
from texelscope.pipeline.inputs.beside import pictures_beside
from texelscope.pipeline.pipeline_file.folder import Folder

OPENED: list[str] | None = None
HOOKED: list[bool] = []


def listen(event: str, arguments: tuple[Any, ...]) -> None:
    if OPENED is not None and event == "open" and isinstance(arguments[0], str | bytes | os.PathLike):
        OPENED.append(os.path.realpath(os.fsdecode(arguments[0])))


@pytest.fixture
def secret(tmp_path: Path) -> Iterator[Path]:
    """A folder of which nothing may be opened while the test runs, with a file of each kind."""
    global OPENED
    folder = tmp_path / "secret"
    write_folder(folder, INPUT + PASS, oracle_py="def copy(t_X): return t_X\n", part_glsl="// canary\n")
    np.save(folder / "w.npy", np.zeros((1, 3, 8, 8), np.float32))
    Image.new("RGB", (8, 8)).save(folder / "image.png")
    (folder / "w.bin").write_bytes(bytes(16))
    if not HOOKED:
        sys.addaudithook(listen)
        HOOKED.append(True)
    OPENED = []
    yield folder
    found, OPENED = OPENED, None
    assert found  # it listens
    assert [path for path in found if path.startswith(str(folder))] == []


def ways(secret: Path, file: str, folder: Path) -> list[str]:
    """Names that lead to a file outside the folder: up, absolute, by a link, by a linked folder, by a chain of both."""
    (folder / "below").mkdir(parents=True, exist_ok=True)
    link = folder / f"link{Path(file).suffix}"
    for path, to in ((link, secret / file), (folder / "away", secret), (folder / "chain", Path("below/../away"))):
        if not path.is_symlink():
            path.symlink_to(to)
    return [
        f"../secret/{file}", str(secret / file), link.name, f"away/{file}", f"chain/{file}",
        f"below/../../secret/{file}", f"below/../away/{file}", f"./away/../secret/{file}",
    ]  # fmt: skip


CONSTANT = '\n[[constant]]\nname = "w"\nsource = {}\nlayout = "channel_tiles"\n'
KEYS: dict[str, tuple[str, Callable[[str], str]]] = {
    "model": ("model.onnx", lambda name: f"[pipeline]\nmodel = {name}\n" + INPUT + PASS),
    "oracle": ("oracle.py", lambda name: f"[pipeline]\noracle = {name}\n" + INPUT + PASS),
    "array": ("w.npy", lambda name: INPUT.replace('"random:1"', name) + PASS),
    "picture": ("image.png", lambda name: INPUT.replace('"random:1"', name) + PASS),
    "constant": ("w.npy", lambda name: CONSTANT.format(name) + INPUT + PASS),
    "shader": ("copy.frag", lambda name: INPUT + PASS.replace('"copy.frag"', name)),
    "vertex": ("copy.frag", lambda name: INPUT + PASS + f"vertex = {name}\n"),
}


@pytest.mark.parametrize("key", KEYS)
def test_a_pipeline_file_names_none(tmp_path: Path, secret: Path, key: str) -> None:
    file, toml = KEYS[key]
    folder = tmp_path / "folder"
    for way in ways(secret, file, folder):
        with pytest.raises(TexelscopeError):
            pipeline.plan_of(write_folder(folder, toml(f"'{way}'")), trust=True)


def test_an_include_names_none(tmp_path: Path, secret: Path) -> None:
    folder = tmp_path / "folder"
    for way in [*ways(secret, "part.glsl", folder), "/etc/passwd", "../../../../../../etc/passwd"]:
        shader = COPY.replace("uniform", f'#include "{way}"\nuniform', 1)
        with pytest.raises(TexelscopeError):
            pipeline.plan_of(write_folder(folder, INPUT + PASS, copy_frag=shader))
    (folder / "below" / "first.glsl").write_text('#include "../../secret/part.glsl"\n')
    shader = COPY.replace("uniform", '#include "below/first.glsl"\nuniform', 1)
    with pytest.raises(TexelscopeError):
        pipeline.plan_of(write_folder(folder, INPUT + PASS, copy_frag=shader))


def test_a_model_names_none(tmp_path: Path, secret: Path) -> None:
    folder = tmp_path / "folder"
    for way in ways(secret, "w.bin", folder):
        made = model([node("Add", "x w", "y", "add")], [value("x", [4])], [value("y", [4])], weights={"w": array(4)})
        tensor = made.graph.initializer[0]
        tensor.ClearField("raw_data")
        tensor.data_location = onnx.TensorProto.EXTERNAL
        tensor.external_data.append(onnx.StringStringEntryProto(key="location", value=way))
        (folder / "m.onnx").write_bytes(made.SerializeToString())
        with pytest.raises(TexelscopeError):
            pipeline.plan_of(folder / "m.onnx")


def test_operators_of_a_domain_of_their_own_are_functions_of_the_model_and_no_libraries(
    tmp_path: Path, secret: Path
) -> None:
    body = helper.make_function(
        "../secret", "../secret/copy", ["x"], ["y"], [node("Relu", "x", "y", "r")], [helper.make_opsetid("", 17)]
    )
    made = model(
        [helper.make_node("../secret/copy", ["x"], ["y"], domain="../secret")], [value("x", [4])], [value("y", [4])]
    )
    made.opset_import.append(helper.make_opsetid("../secret", 1))
    made.functions.append(body)
    (tmp_path / "m.onnx").write_bytes(made.SerializeToString())
    with suppress(TexelscopeError):
        assert pipeline.plan_of(tmp_path / "m.onnx").passes[0].operator == "Relu"


def test_a_capture_names_none(tmp_path: Path, secret: Path) -> None:
    folder, of = tmp_path / "folder", captured_plan()
    for file in ("w.npy", "image.png", "w.bin"):
        for way in ways(secret, file, folder):
            kind = {"type": "float32"} if file == "w.bin" else {}
            write_capture(folder, {"name": "a", "file": way, **kind})
            dump = read_manifest(folder).tensors[0]
            with pytest.raises(TexelscopeError):
                held(dump, of.textures["a"].shape, of.textures["a"].layout, Folder(folder), "it")


def test_a_recording_names_none(tmp_path: Path, secret: Path) -> None:
    folder = tmp_path / "folder"
    for way in ways(secret, "w.bin", folder):
        texture = {
            "id": 0, "width": 2, "height": 2, "layout": "unpacked", "type": "float32", "shape": [4], "values": way
        }  # fmt: skip
        program = {"name": "p", "fragment": way, "inputs": [], "output": 0}
        for entries in ({"fragment": way}, {"fragment": "a.frag"}):
            recording = {
                "format": "texelscope-tfjs", "version": 1, "textures": [texture], "programs": [{**program, **entries}]
            }  # fmt: skip
            (folder / "programs.json").write_text(json.dumps(recording))
            (folder / "a.frag").write_text(COPY)
            with pytest.raises(TexelscopeError):
                pipeline.plan_of(folder)


def test_a_recording_of_webgl_names_none(tmp_path: Path, secret: Path) -> None:
    folder = tmp_path / "folder"
    for way in ways(secret, "w.bin", folder):
        for place in ("vertex", "fragment", "values"):
            page = two_draws()
            named = page.about["textures"] if place == "values" else page.about["programs"]
            named[0][place] = way
            with pytest.raises(TexelscopeError):
                pipeline.plan_of(page.write(folder))


def test_a_recording_of_webgpu_names_none(tmp_path: Path, secret: Path) -> None:
    folder = tmp_path / "folder"
    for way in ways(secret, "w.bin", folder):
        for place in ("text", "values"):
            page = two_dispatches()
            named = page.about["contents"] if place == "values" else page.about["programs"]
            named[0][place] = way
            with pytest.raises(TexelscopeError):
                pipeline.plan_of(page.write(folder))


def test_a_table_of_textures_names_none(tmp_path: Path, secret: Path) -> None:
    page, folder = two_draws().write(tmp_path / "page"), tmp_path / "folder"
    for way in ways(secret, "model.onnx", folder):
        (folder / "draws.toml").write_text(f"model = '{way}'\n")
        with pytest.raises(TexelscopeError):
            pipeline.plan_of(page, oracle=str(folder / "draws.toml"))


def test_nothing_is_taken_from_beside_by_a_link(tmp_path: Path, secret: Path) -> None:
    """Pictures that a model opens on, values for tensors of any name, and what a bundle or a copy takes along."""
    folder = tmp_path / "folder"
    ways(secret, "image.png", folder)
    ways(secret, "w.npy", folder)
    onnx.save(one_convolution(), folder / "m.onnx")
    (folder / "inputs").symlink_to(secret)
    assert pictures_beside(folder / "m.onnx") == ()
    for name in ("link", "../secret/w", "away/w", str(secret / "w"), "chain/w"):
        with pytest.raises(TexelscopeError):
            FolderValues(folder).value(name)
    path = write_folder(folder, INPUT + PASS)
    (folder / "notes").symlink_to(secret / "oracle.py")
    assert all(file.is_relative_to(folder) for file in files_of(path, pipeline.plan_of(path)))

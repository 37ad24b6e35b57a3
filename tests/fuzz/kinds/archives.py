"""Bundles, goldens and captures: archives and manifests that lie about what is in them."""

from __future__ import annotations

import io
import json
import random
import stat
import zipfile
from typing import Any

import numpy as np

from tests.fuzz import mutation, seeds, words
from tests.fuzz.case import Case, Content, Fifo, Link
from tests.fuzz.kinds.dialects import change

_NAMES = (
    "files/../../outside/x", "/etc/x", "files/a\x00b", "files//a", "files/./a", "files/a/", "FILES/a",
    "files/" + "a" * 300, "files/" + "a/" * 500, "inputs/0.npy",
    "bundle.json", "files\\..\\..\\x", "C:/x", "files/con", "files/ü", "files/\udce9", "", "..", "files/model.onnx/x",
    "files/model.onnx",
)  # fmt: skip


def case(random_: random.Random) -> Case:
    return random_.choice((_bundle, _bundle, _golden, _capture))(random_)


def _packed(members: dict[str, bytes], random_: random.Random) -> bytes:
    """The archive, now and then with members that no tool writes, or bytes changed."""
    packed = io.BytesIO()
    method = random_.choice(
        (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA)
    )
    with zipfile.ZipFile(packed, "w", method) as archive:
        for name, data in members.items():
            archive.writestr(name, data)
        match random_.randrange(12):
            case 0 | 1:
                _add(archive, random_.choice(_NAMES), b"x")
            case 2:
                link = zipfile.ZipInfo("files/link")
                link.external_attr = (stat.S_IFLNK | 0o777) << 16
                archive.writestr(link, "../../outside/secret.bin")
            case 3:
                _add(archive, "files/large", bytes(random_.choice((10**6, 10**8, 3 * 10**8))))
            case 4:
                for number in range(random_.choice((100, 12_000))):
                    _add(archive, f"files/{number}", b"")
            case 5:
                _add(archive, words.name(random_), b"x")
    data = packed.getvalue()
    return mutation.of_bytes(data, random_) if random_.random() < 0.35 else data


def _add(archive: zipfile.ZipFile, name: str, data: bytes) -> None:
    try:
        archive.writestr(name, data, zipfile.ZIP_DEFLATED)
    except (ValueError, IndexError):  # a name that cannot be written
        return


def _array(random_: random.Random, *shape: int) -> bytes:
    file = io.BytesIO()
    np.save(file, np.zeros(shape, np.float32))
    data = file.getvalue()
    return mutation.of_bytes(data, random_) if random_.random() < 0.15 else data


def _bundle(random_: random.Random) -> Case:
    about: Any = {
        "version": 1, "target": "files/pipeline.toml", "options": {"layout": "auto", "precision": "float32",
        "shapes": {}, "conventions": {}},
        "inputs": {"image": "inputs/0.npy"}, "trust": True, "state": {},
    }  # fmt: skip
    for _ in range(random_.choice((0, 1, 1, 2))):
        change(about, random_)
    text = json.dumps(about) if random_.random() < 0.9 else mutation.of_text(json.dumps(about), random_)
    if random_.random() < 0.05:
        text = "[" * 100_000
    members = {f"files/{name}": data for name, data in seeds.folder("convolution_twice").items()}
    if random_.random() < 0.3:
        members["files/oracle.py"] = words.CODE.encode()
        members["files/pipeline.toml"] = members["files/pipeline.toml"].replace(
            b'model = "model.onnx"', b'oracle = "oracle.py"'
        )
    manifest = text.encode("utf-8", errors="replace")
    data = _packed({"bundle.json": manifest, **members, "inputs/0.npy": _array(random_, 1, 3, 64, 64)}, random_)
    return Case("a bundle", {"a.texelscope": data}, ("case/a.texelscope",), entry="bundle")


def _golden(random_: random.Random) -> Case:
    about: Any = {
        "kind": "texelscope golden", "version": 1, "target": "model.onnx", "sha256": "", "device": {"renderer": "r",
        "version": "v"}, "settings": {},
        "versions": {}, "outputs": ["y"], "inputs": [{"name": "image", "shape": [1, 3, 64, 64]}],
        "tensors": [{"name": "y", "pass": "y", "operator": "Conv", "storage": "float32", "dtype": "float32",
        "shape": [1, 8, 64, 64], "rtol": 0.1, "atol": 1.0}],
    }  # fmt: skip
    for _ in range(random_.choice((0, 1, 1, 2))):
        change(about, random_)
    text = json.dumps(about).encode("utf-8", errors="replace")
    members = {"golden.json": text, "i0.npy": _array(random_, 1, 3, 64, 64), "t0.npy": _array(random_, 1, 8, 64, 64)}
    files: dict[str, Content] = dict(seeds.folder("convolution_twice"))
    files["golden.npz"] = _packed(members, random_)
    return Case("a golden", files, ("diff", "case/model.onnx", "--golden", "case/golden.npz", "--json", "-"))


def _capture(random_: random.Random) -> Case:
    about: Any = {
        "version": 1, "device": {"renderer": "r", "version": "v"}, "shaders": "target",
        "tensors": [{"name": "drawn", "file": "drawn.f32", "type": "float32", "shape": [1, 8, 64, 64], "axes": "nchw"}],
        "inputs": [{"name": "image", "file": "image.npy"}],
    }  # fmt: skip
    for _ in range(random_.choice((0, 1, 1, 2))):
        change(about, random_)
    text = json.dumps(about)
    if random_.random() < 0.15:
        text = mutation.of_text(text, random_)
    files: dict[str, Content] = dict(seeds.folder("convolution_twice"))
    files |= {
        "capture/capture.json": text.encode("utf-8", errors="replace"),
        "capture/drawn.f32": bytes(random_.choice((4 * 8 * 64 * 64, 4, 0))),
        "capture/image.npy": _array(random_, 1, 3, 64, 64), "capture/pipe": Fifo(), "capture/loop": Link("loop"),
        "capture/away": Link("../../outside/secret.bin"),
    }  # fmt: skip
    return Case(
        "a capture",
        files,
        (
            "diff",
            "case/pipeline.toml",
            "--captured",
            random_.choice(("case/capture", "case/capture/capture.json")),
            "--json",
            "-",
        ),
    )

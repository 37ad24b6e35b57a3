"""Goldens: one run in one .npz file, plain arrays and a JSON text, nothing pickled.

`golden.json` says whose run it is and lists the tensors with their tolerances, which may be edited there (a zip tool,
or `--tolerance`); array `t7.npy` is the seventh tensor of that list, `i0.npy` the first input.
"""

from __future__ import annotations

import io
import json
import math
import zipfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from texelscope.pipeline.atomic_files import write_whole
from texelscope.pipeline.device import Device
from texelscope.pipeline.errors import TexelscopeError
from texelscope.pipeline.graph import Shape
from texelscope.pipeline.plan import Plan, Tolerance
from texelscope.pipeline.runs.run import HeldTensor, Run
from texelscope.pipeline.untrusted_files.archives import Archive, opened_archive
from texelscope.pipeline.untrusted_files.arrays import npy_of
from texelscope.pipeline.untrusted_files.texts import json_value

VERSION = 1
_KIND = "texelscope golden"
_TEXT = "golden.json"
_ANEW = "Save it anew with --save-golden."
_LARGEST_TEXT = 64 << 20
# What reading a file that somebody cut off or wrote by hand ends in.
_DAMAGED = (LookupError, TypeError, ValueError, AttributeError, OverflowError)
# What stands before the numbers in an .npy file is far below this.
_NPY_HEADER = 4096


@dataclass(frozen=True)
class Golden:
    """A run that was kept, and the tolerance of each of its tensors."""

    run: Run
    tolerances: Mapping[str, Tolerance]


def save_golden(path: Path, run: Run, versions: Mapping[str, str]) -> None:
    """Writes the run to `path`, whole or not at all; `versions` are those of the program and of what it stands on."""
    inputs = [{"name": name, "shape": list(values.shape)} for name, values in run.inputs.items()]
    tensors = [
        {
            "name": each.name,
            "pass": each.made_by,
            "operator": each.operator,
            "storage": each.storage,
            "dtype": each.dtype,
            "shape": list(each.values.shape),
            "rtol": each.tolerance.rtol,
            "atol": each.tolerance.atol,
        }
        for each in run.tensors
    ]
    text = {
        "kind": _KIND,
        "version": VERSION,
        "target": run.target,
        "sha256": run.digest,
        "device": {"renderer": run.device.renderer, "version": run.device.version},
        "settings": dict(run.settings),
        "versions": dict(versions),
        "outputs": list(run.outputs),
        "inputs": inputs,
        "tensors": tensors,
    }
    arrays = {f"i{i}": values for i, values in enumerate(run.inputs.values())}
    arrays |= {f"t{i}": each.values for i, each in enumerate(run.tensors)}

    def write(unfinished: Path) -> None:
        with zipfile.ZipFile(unfinished, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
            archive.writestr(_TEXT, json.dumps(text, indent=1))
            for name, values in arrays.items():
                held = io.BytesIO()
                np.save(held, np.asarray(values, dtype=np.float32), allow_pickle=False)
                archive.writestr(f"{name}.npy", held.getvalue())

    write_whole(path, write)


def load_golden(path: Path, plan: Plan, digest: str) -> Golden:
    """The golden at `path`, of the model that `plan` and `digest` are of.

    Raises TexelscopeError for a file that is no golden, of another version, of another model, or not whole. No more is
    unpacked than tensors of the shapes that the plan has take.
    """
    with _opened(path, digest) as (archive, text):
        return _golden(path, archive, text, plan)


def shapes_of_inputs(path: Path, digest: str) -> dict[str, Shape]:
    """The shapes of the inputs that the golden was made on, by name. Raises TexelscopeError as `load_golden`."""
    with _opened(path, digest) as (_, text):
        return {str(each["name"]): tuple(int(size) for size in each["shape"]) for each in text["inputs"]}


@contextmanager
def _opened(path: Path, digest: str) -> Iterator[tuple[Archive, dict[str, Any]]]:
    """The archive and its text; what reading a damaged one ends in becomes an error of a line."""
    try:
        with opened_archive(path, what="a golden", do_next=_ANEW) as archive:
            text = _text(path, archive)
            if text["sha256"] != digest:
                raise TexelscopeError(
                    str(path),
                    f"a golden of this model (sha256 {digest[:12]}…)",
                    f"one of '{text['target']}' ({text['sha256'][:12]}…)",
                    "Save one anew with --save-golden.",
                )
            yield archive, text
    except _DAMAGED as error:
        raise TexelscopeError(str(path), "a whole golden file", f"one that is damaged ({error!r})", _ANEW) from error


def _text(path: Path, archive: Archive) -> dict[str, Any]:
    if _TEXT not in archive.members or archive.members[_TEXT].file_size > _LARGEST_TEXT:
        raise TexelscopeError(str(path), f"a golden with a {_TEXT}", "none", "Save one with --save-golden.")
    text = json_value(archive.read(_TEXT).decode("utf-8"), f"{path} {_TEXT}", do_next=_ANEW)
    if not isinstance(text, dict) or text.get("kind") != _KIND:
        raise TexelscopeError(str(path), f"a {_TEXT} of a golden", "another text", "Save one with --save-golden.")
    if text.get("version") != VERSION:
        raise TexelscopeError(
            str(path),
            f"a golden of version {VERSION}",
            f"version {text.get('version')!r}",
            "Save it anew with --save-golden, or update the program.",
        )
    return text


def _golden(path: Path, archive: Archive, text: Mapping[str, Any], plan: Plan) -> Golden:
    shapes = {key: stored.shape for key, stored in plan.textures.items()}
    inputs = {}
    for i, each in enumerate(text["inputs"]):
        shape = tuple(int(size) for size in each["shape"])
        if shapes.get(each["name"]) != shape:
            raise TexelscopeError(
                str(path),
                f"input '{each['name']}' of shape {list(shapes.get(each['name'], ()))}",
                str(list(shape)),
                f"Plan for it with --shape {each['name']}={','.join(map(str, shape))}.",
            )
        inputs[str(each["name"])] = _array(archive, f"i{i}.npy", shape)
    tensors, tolerances = [], {}
    for i, each in enumerate(text["tensors"]):
        name, shape = str(each["name"]), tuple(int(size) for size in each["shape"])
        if shapes.get(name, shape) == shape and name in shapes:
            values = _array(archive, f"t{i}.npy", shape)
        else:  # of another version of the program: it is told by its shape, and not unpacked
            values = np.broadcast_to(np.float32(np.nan), shape)
        storage, dtype = str(each["storage"]), str(each["dtype"])
        tensors.append(HeldTensor(name, str(each["pass"]), str(each["operator"]), storage, dtype, values))
        tolerances[name] = _tolerance(path, name, each)
    device = Device(str(text["device"]["renderer"]), str(text["device"]["version"]))
    settings = {str(key): str(value) for key, value in text["settings"].items()}
    settings["saved by"] = ", ".join(f"{key} {value}" for key, value in text["versions"].items())
    outputs = tuple(str(name) for name in text["outputs"])
    run = Run(str(text["target"]), str(text["sha256"]), device, settings, inputs, outputs, tuple(tensors))
    return Golden(run, tolerances)


def _tolerance(path: Path, name: str, each: Mapping[str, Any]) -> Tolerance:
    found = Tolerance(float(each["rtol"]), float(each["atol"]))
    if not all(math.isfinite(value) and value >= 0.0 for value in (found.rtol, found.atol)):
        raise TexelscopeError(
            str(path), f"tolerances of '{name}' from 0 on", f"{found.rtol}, {found.atol}", "Correct golden.json in it."
        )
    return found


def _array(archive: Archive, member: str, shape: Shape) -> NDArray[np.float32]:
    info = archive.members[member]
    size = math.prod(shape) * np.dtype(np.float32).itemsize
    if not size <= info.file_size <= size + _NPY_HEADER:
        raise ValueError(f"{member} has {info.file_size} bytes")
    try:
        with archive.open(member) as file:
            found = npy_of(file, info.file_size, member)
            values = found.values()
    except TexelscopeError as error:
        raise ValueError(f"{member} is {error.got}") from error
    if values.shape != shape or values.dtype != np.float32:
        raise ValueError(f"{member} has shape {list(values.shape)}")
    return values

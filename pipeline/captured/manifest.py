"""Reads the manifest of a capture, `capture.json` or `capture.toml`: which tensor lies in which file, and how.

Both hold the same keys; `docs/captures.md` describes them. Nothing in a manifest is executed; files that it names stay
inside its folder, and an entry may hold its bytes itself, as base64 in `data`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, cast, get_args

from texelscope.layouts import Layout
from texelscope.pipeline.device import DeviceInfo
from texelscope.pipeline.errors import TexelscopeError
from texelscope.pipeline.graph import Shape
from texelscope.pipeline.pipeline_file.table import Problems, Table
from texelscope.pipeline.plan import Storage
from texelscope.pipeline.untrusted_files import is_file, is_folder, read_text
from texelscope.pipeline.untrusted_files.texts import json_value, toml_values

NAMES = ("capture.json", "capture.toml")
VERSION = 1
# A manifest may hold the values themselves.
MAX_MANIFEST_BYTES = 1 << 30
MAX_ENTRIES = 100_000
# More texels in a row or column than any driver's largest texture has.
MAX_TEXELS = 1 << 17

# The order of a buffer's axes; a tensor here is n, c, h, w.
Axes = Literal["nchw", "nhwc"]

# The source of the values: the target's own shaders, or another program.
Shaders = Literal["target", "other"]

_TYPES = get_args(Storage)
_TOP = ("version", "device", "shaders", "storage", "tensors", "inputs", "about")
_DEVICE = ("renderer", "version", "vendor", "agent")
_TENSOR = (
    "name", "file", "data", "type", "width", "height", "channels", "shape", "axes", "layout", "flipped", "storage"
)  # fmt: skip
_INPUT = (*_TENSOR, "source")


@dataclass(frozen=True)
class Dump:
    """Describes one dumped tensor: a file of the folder, or `data` in base64; an input also by `source`.

    `type` is that of raw numbers, None for .npy and .png, which contain it. A texture has `width` and `height`
    in texels of `channels` numbers (by default its layout's); a dump with `shape` is no texture but
    the tensor itself, in C order of its `axes`. `flipped`: the last row in memory comes first. `storage` is what the
    device's texture held, by default the type in the file.
    """

    name: str
    title: str
    file: str | None = None
    data: str | None = None
    source: str | None = None
    type: Storage | None = None
    width: int | None = None
    height: int | None = None
    channels: int | None = None
    shape: Shape | None = None
    axes: Axes = "nchw"
    layout: Layout | None = None
    flipped: bool = False
    storage: Storage | None = None


@dataclass(frozen=True)
class Manifest:
    """Says who ran the target, what was dumped, and on which inputs. `shaders` is None if the file does not say.

    `storage` is what the device used instead of float32, also in textures that were not dumped: weights, inputs.
    """

    path: Path
    device: DeviceInfo
    shaders: Shaders | None
    tensors: tuple[Dump, ...]
    inputs: tuple[Dump, ...]
    storage: Storage | None = None


def read_manifest(path: Path) -> Manifest:
    """Reads the manifest of a folder, or the manifest file itself.

    Raises TexelscopeError for one that is missing, unreadable or too large, and PipelineFileError, with a line for
    each, for keys and values that are wrong.
    """
    file = _manifest_file(path)
    problems = Problems(file.name)
    manifest = _entries(_values(file), file, problems)
    problems.raise_any()
    return manifest


def _manifest_file(path: Path) -> Path:
    if is_file(path):
        return path
    if not is_folder(path):
        raise TexelscopeError(str(path), "a folder with a capture, or its manifest", "no such file", "Check the path.")
    for name in NAMES:
        if is_file(path / name):
            return path / name
    raise TexelscopeError(
        str(path), f"a manifest, {' or '.join(NAMES)}", "none", "Write one: docs/captures.md says what it holds."
    )


def _values(file: Path) -> Mapping[str, Any]:
    text = read_text(file, file.name, most=MAX_MANIFEST_BYTES, if_larger="Put the values into files.")
    read = toml_values if file.suffix.lower() == ".toml" else json_value
    values = read(text, file.name, do_next="Correct that place, or capture again.")
    if not isinstance(values, dict):
        raise TexelscopeError(file.name, "an object with 'tensors'", type(values).__name__, "See docs/captures.md.")
    return values


def _entries(values: Mapping[str, Any], file: Path, problems: Problems) -> Manifest:
    top = Table(values, "", problems)
    top.check_keys(_TOP)
    version = top.whole("version", required=True)
    if version is not None and version != VERSION:
        top.problem("version", str(VERSION), str(version), "Capture again, or take a newer program.")
    device = top.table("device") or Table({}, "", problems)
    device.check_keys(_DEVICE)
    tensors = [_dump(table, _TENSOR) for table in _tables(top, "tensors")]
    inputs = [_dump(table, _INPUT) for table in _tables(top, "inputs")]
    if not tensors and not problems.count:
        top.problem("tensors", "at least one tensor", "none", "Add what was dumped.")
    for kind, dumps in (("tensors", tensors), ("inputs", inputs)):
        names = [dump.name for dump in dumps]
        for name in sorted({name for name in names if name and names.count(name) > 1}):
            top.problem(kind, "each tensor once", f"'{name}' twice", "Remove one of them.")
    return Manifest(
        path=file,
        device=_device(device),
        shaders=cast("Shaders | None", top.choice("shaders", get_args(Shaders), "") or None),
        tensors=tuple(tensors),
        inputs=tuple(inputs),
        storage=cast("Storage | None", top.choice("storage", _TYPES, "") or None),
    )


def _device(table: Table) -> DeviceInfo:
    said = {key: table.text(key) for key in _DEVICE}
    who = said["renderer"] or said["agent"] or said["vendor"] or "an unnamed device"
    return DeviceInfo(who, said["version"] or "unknown version")


def _tables(top: Table, key: str) -> list[Table]:
    """Yields the entries of a list, each called by its name, or by its number where it has none."""
    found = top.values.get(key, [])
    if not isinstance(found, list) or not all(isinstance(item, dict) for item in found) or len(found) > MAX_ENTRIES:
        top.problem(key, "a list of tables", type(found).__name__, f'Write "{key}": [{{ "name": …, … }}].')
        return []
    return [top.entry(item, _title(key, number, item)) for number, item in enumerate(found, 1)]


def _title(key: str, number: int, item: Mapping[str, Any]) -> str:
    name = item.get("name")
    return f"{key} '{name}'" if isinstance(name, str) and name else f"{key} number {number}"


def _dump(table: Table, keys: tuple[str, ...]) -> Dump:
    table.check_keys(keys)
    dump = Dump(
        name=table.text("name", required=True) or "",
        title=table.title,
        file=table.text("file"),
        data=table.text("data"),
        source=table.text("source") if "source" in keys else None,
        type=cast("Storage | None", table.choice("type", _TYPES, "") or None),
        width=table.whole("width", most=MAX_TEXELS),
        height=table.whole("height", most=MAX_TEXELS),
        channels=table.whole("channels", most=4),
        shape=table.shape("shape", required=False),
        axes=cast("Axes", table.choice("axes", get_args(Axes), "nchw")),
        layout=table.layout("layout", required=False),
        flipped=bool(table.flag("flipped")),
        storage=cast("Storage | None", table.choice("storage", _TYPES, "") or None),
    )
    _check(dump, table, keys)
    return dump


def _check(dump: Dump, table: Table, keys: tuple[str, ...]) -> None:
    ways = [key for key in ("file", "data", "source") if key in keys]
    given = [key for key in ways if key in table.values]
    if len(given) != 1:
        got = " and ".join(given) or "none of them"
        table.problem("", f"one of {', '.join(ways)}", got, "Say once where the values are.")
    elif dump.type is None and "type" not in table.values and not describes_itself(dump) and dump.source is None:
        table.problem("type", f"one of {', '.join(_TYPES)}", "nothing", "Say what raw numbers are; .npy and .png do.")
    if (dump.width is None) != (dump.height is None) and not {"width", "height"} <= table.values.keys():
        table.problem("width", "width and height, or neither", "one of them", "Add the other.")
    if "axes" in table.values and dump.shape is None and not (dump.file or "").lower().endswith(".npy"):
        table.problem("axes", "a buffer with its shape, or an .npy", "a texture", "It has a layout: remove 'axes'.")
    if dump.shape is not None and (dump.width is not None or dump.layout is not None or dump.flipped):
        table.problem(
            "shape", "a tensor in C order, or a texture", "both", "Remove shape, or width, height and layout."
        )


def describes_itself(dump: Dump) -> bool:
    """Reports whether the dump is a file that contains its type."""
    return dump.file is not None and dump.file.lower().endswith((".npy", ".png"))

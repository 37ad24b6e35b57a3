"""A bundle: one file that reopens a state, with everything that it was made from. A zip archive of data:

- `bundle.json`: what to open and how, and the state of the window, which is the window's own business;
- `files/…`: the target's files, as they lay below its folder;
- `inputs/….npy`: the values of the inputs.

A bundle comes from somebody else: nothing in it is executed or unpickled, no path leads out of the folder that it is
unpacked to, and sizes are checked before anything is read.
"""

from __future__ import annotations

import io
import json
import shutil
import stat
import zipfile
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from texelscope.pipeline.atomic_files import write_whole
from texelscope.pipeline.deadline import check
from texelscope.pipeline.errors import TexelscopeError
from texelscope.pipeline.importers.registry import importer_for
from texelscope.pipeline.model_file.message import data_files
from texelscope.pipeline.plan import Plan
from texelscope.pipeline.target import DEFAULT_LAYOUT, OpenOptions, Target
from texelscope.pipeline.unique_names import file_stems
from texelscope.pipeline.untrusted_files import is_file, opened, reason
from texelscope.pipeline.untrusted_files.archives import Archive, opened_archive
from texelscope.pipeline.untrusted_files.texts import json_value

SUFFIX = ".texelscope"
VERSION = 1
MANIFEST = "bundle.json"
MAX_FILES = 10_000
MAX_BYTES = 8 << 30
MAX_MANIFEST_BYTES = 16 << 20
_PARTS = ("files", "inputs")
_AGAIN = "Save the bundle again."
_PIECE_BYTES = 1 << 20


@dataclass(frozen=True)
class Bundle:
    """What was unpacked: a target whose files lie in the folder, and the state that was saved with it."""

    target: Target
    state: Mapping[str, Any]


def pack(
    path: Path,
    target: Target,
    plan: Plan,
    inputs: Mapping[str, NDArray[np.float32]],
    state: Mapping[str, Any],
    progress: Callable[[float], None] = lambda _share: None,
) -> None:
    """Writes a bundle; `inputs` are the values of the plan's inputs, in their logical shapes.

    A target that is a folder is opened again by the first of its plan's files.

    Raises TexelscopeError for a file that cannot be read or written, and what `progress` raises; what was at `path`
    before stays then.
    """
    start = Path(target.path).resolve()
    if start.is_dir() and plan.files:
        start = plan.files[0]
    files = files_of(start, plan)
    for file in files:
        if not _is_plain(name := file.relative_to(start.parent).as_posix()):
            expected = "files whose names are letters of UTF-8 without ':' and '\\'"
            raise TexelscopeError(str(path), expected, f"'{name}'", "Rename it, then save the bundle.")
    sources = {name: f"inputs/{stem}.npy" for name, stem in file_stems(inputs, "input").items()}
    manifest = {
        "version": VERSION,
        "target": f"files/{start.name}",
        "layout": target.options.layout,
        "precision": target.options.precision,
        "inputs": sources,
        "shapes": {name: list(shape) for name, shape in target.options.shapes.items()},
        "conventions": dict(target.options.conventions),
        "dialect": dict(target.options.dialect),
        "gradients": target.options.gradients,
        "wrt": list(target.options.wrt),
        "state": dict(state),
    }

    def write(unfinished: Path) -> None:
        with zipfile.ZipFile(unfinished, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
            archive.writestr(MANIFEST, json.dumps(manifest, indent=1))
            for name, values in inputs.items():
                held = io.BytesIO()
                np.save(held, np.asarray(values, dtype=np.float32), allow_pickle=False)
                archive.writestr(sources[name], held.getvalue())
            for done, file in enumerate(files):
                member = f"files/{file.relative_to(start.parent).as_posix()}"
                with opened(file, inside=start.parent) as source, archive.open(member, "w", force_zip64=True) as to:
                    shutil.copyfileobj(source, to, _PIECE_BYTES)
                progress((done + 1) / len(files))

    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, write)
    except (OSError, ValueError) as error:  # a zip archive knows no files from before 1980
        raise TexelscopeError(str(path), "a bundle that can be written", str(error), "Choose another place.") from error


def files_of(target: Path, plan: Plan) -> tuple[Path, ...]:
    """The files that a target needs, itself first, all below its folder: what the program ships with is not among them.

    `target` is absolute, with links followed.
    """
    if target.suffix.lower() == ".onnx":
        found: Collection[Path] = (target,)
    else:
        found = [path.resolve() for path in importer_for(target).watched(target, plan)]
    found = [*found, *(data for path in found if path.suffix.lower() == ".onnx" for data in data_files(path))]
    inside = [path for path in dict.fromkeys(found) if path.is_relative_to(target.parent)]
    return (target, *(path for path in inside if path != target))


def unpack(path: Path, folder: Path) -> Bundle:
    """Unpacks a bundle into an empty folder. Raises TexelscopeError for whatever it should not hold."""
    try:
        with opened_archive(path, path.name, what="a bundle", do_next=_AGAIN) as archive:
            members = _checked(archive, path.name, folder)
            manifest = _manifest(archive, path.name)
            for member in members:
                check()
                _extract(archive, member, folder / member.filename)
    except OSError as error:  # of the folder: a full disk, a name that it cannot have
        raise TexelscopeError(path.name, "a bundle that can be unpacked", reason(error), _AGAIN) from error
    return _bundle(manifest, path.name, folder)


def _checked(archive: Archive, name: str, folder: Path) -> list[zipfile.ZipInfo]:
    """The members to be unpacked, if all of them may be."""
    members = list(archive.members.values())
    if len(members) > MAX_FILES:
        raise TexelscopeError(name, f"at most {MAX_FILES} files", f"{len(members)}", _AGAIN)
    size_bytes = archive.size_bytes
    room_bytes = min(MAX_BYTES, shutil.disk_usage(folder).free)
    if size_bytes > room_bytes:
        raise TexelscopeError(name, f"at most {room_bytes} bytes", f"{size_bytes}", "Make room, or open its model.")
    seen: set[str] = set()
    for member in members:
        _check_name(member, name)
        if member.filename.casefold() in seen:
            raise TexelscopeError(name, "each file once", f"'{member.filename}' twice", _AGAIN)
        seen.add(member.filename.casefold())
    return [member for member in members if member.filename != MANIFEST]


def _check_name(member: zipfile.ZipInfo, name: str) -> None:
    """Only plain files below `files` and `inputs`, by paths that mean the same on every system."""
    text = member.filename
    parts = PurePosixPath(text).parts
    plain = _is_plain(text) and text == "/".join(parts)
    inside = text == MANIFEST or (len(parts) > 1 and parts[0] in _PARTS and not {".", ".."} & set(parts))
    kind = stat.S_IFMT(member.external_attr >> 16)
    if not (plain and inside) or kind not in (0, stat.S_IFREG):
        raise TexelscopeError(
            name, f"files below {' and '.join(_PARTS)}", f"'{text}'", "Open only bundles that Texelscope wrote."
        )


def _is_plain(name: str) -> bool:
    """Whether a path means the same on every system."""
    return name.isprintable() and "\\" not in name and ":" not in name


def _extract(archive: Archive, member: zipfile.ZipInfo, to: Path) -> None:
    to.parent.mkdir(parents=True, exist_ok=True)

    def write(unfinished: Path) -> None:
        with archive.open(member.filename) as source, unfinished.open("wb") as file:
            shutil.copyfileobj(source, file, _PIECE_BYTES)  # no more than the size that was checked: zipfile sees to it

    write_whole(to, write, lasting=False)


def _manifest(archive: Archive, name: str) -> dict[str, Any]:
    found = archive.members.get(MANIFEST)
    if found is None:
        raise TexelscopeError(name, f"a bundle with {MANIFEST}", "none in it", _AGAIN)
    if found.file_size > MAX_MANIFEST_BYTES:
        raise TexelscopeError(
            name, f"at most {MAX_MANIFEST_BYTES} bytes of {MANIFEST}", f"{found.file_size}", _AGAIN
        )  # fmt: skip
    try:
        text = archive.read(MANIFEST).decode("utf-8")
    except UnicodeDecodeError as error:
        raise TexelscopeError(name, f"UTF-8 text in {MANIFEST}", f"byte {error.start} is not", _AGAIN) from error
    read = json_value(text, f"{name} {MANIFEST}", do_next=_AGAIN)
    version = read.get("version") if isinstance(read, dict) else None
    if version != VERSION:
        raise TexelscopeError(name, f"a bundle of version {VERSION}", f"version {version}", "Use a newer Texelscope.")
    return dict(read)


def _bundle(manifest: Mapping[str, Any], name: str, folder: Path) -> Bundle:
    target = manifest.get("target")
    inputs, shapes = _texts(manifest.get("inputs")), manifest.get("shapes")
    for what, member in (("target", target), *(("input", source) for source in inputs.values())):
        if not isinstance(member, str) or not _is_member(folder, member):
            raise TexelscopeError(name, f"the file of its {what}", f"{member!r}, which is not in it", _AGAIN)
    layout, precision = manifest.get("layout"), manifest.get("precision")
    gradients, wrt = manifest.get("gradients"), manifest.get("wrt")
    state = manifest.get("state")
    options = OpenOptions(
        layout if isinstance(layout, str) else DEFAULT_LAYOUT,
        "float16" if precision == "float16" else "float32",
        {str(key): _sizes(sizes) for key, sizes in shapes.items()} if isinstance(shapes, dict) else {},
        conventions=_texts(manifest.get("conventions")),
        dialect=_texts(manifest.get("dialect")),
        gradients=gradients if isinstance(gradients, str) else "",
        wrt=tuple(name for name in wrt if isinstance(name, str)) if isinstance(wrt, list) else (),
    )
    sources = {key: str(folder / source) for key, source in inputs.items()}
    return Bundle(
        Target(str(folder / str(target)), options, sources), MappingProxyType(state if isinstance(state, dict) else {})
    )


def _is_member(folder: Path, member: str) -> bool:
    parts = PurePosixPath(member).parts
    return bool(parts) and parts[0] in _PARTS and ".." not in parts and is_file(folder / member)


def _texts(value: Any) -> dict[str, str]:
    """The entries of a JSON object that are text."""
    return {key: text for key, text in value.items() if isinstance(text, str)} if isinstance(value, dict) else {}


def _sizes(value: Any) -> tuple[int, ...]:
    sizes = value if isinstance(value, list) else []
    return tuple(size for size in sizes if isinstance(size, int) and not isinstance(size, bool) and 0 < size < 2**31)

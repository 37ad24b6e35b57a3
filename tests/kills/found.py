"""What lies in a folder after a kill: which files are whole, and which is the old one or the new one."""

from __future__ import annotations

import hashlib
import json
import tomllib
import xml.etree.ElementTree as ET
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import numpy as np
import onnx
from PIL import Image

from tests.kills.works import FOLDERS
from texelscope.pipeline.atomic_files.unfinished import is_unfinished

# Of each file of a folder, by its path in there, what tells it from another.
Content = Mapping[str, str]


def files_in(folder: Path) -> Iterator[Path]:
    """Files that somebody would take for written."""
    for path in sorted(folder.rglob("*")):
        parts = path.relative_to(folder).parts
        if path.is_file() and parts[0] != "away" and not any(is_unfinished(Path(part)) for part in parts):
            yield path


def unfinished_in(folder: Path) -> list[Path]:
    """What a killed process left."""
    return [path for path in folder.rglob("*") if is_unfinished(path)]


def content(folder: Path) -> Content:
    """What all files hold."""
    return {path.relative_to(folder).as_posix(): _print_of(path) for path in files_in(folder)}


def _print_of(path: Path) -> str:
    """A digest; of an archive one that says nothing of times."""
    if path.suffix in (".npz", ".texelscope"):
        if not zipfile.is_zipfile(path):
            return "no archive"
        with zipfile.ZipFile(path) as archive:
            return " ".join(f"{member.filename} {member.CRC}" for member in archive.infolist())
    return hashlib.sha256(path.read_bytes()).hexdigest()


def damage(path: Path) -> str:
    """Why a file is not whole; empty if it is."""
    try:
        _read(path)
    except Exception as error:  # noqa: BLE001 - that is what is asked
        return f"{path.name}: {type(error).__name__}: {error}"
    return ""


def _read(path: Path) -> None:
    match path.suffix:
        case ".json":
            json.loads(path.read_text("utf-8"))
        case ".xml":
            ET.fromstring(path.read_text("utf-8"))
        case ".html":
            if not path.read_text("utf-8").rstrip().endswith("</html>"):
                raise ValueError("it is cut off")
        case ".toml":
            tomllib.loads(path.read_text("utf-8"))
        case ".npy":
            np.load(path, allow_pickle=False)
        case ".npz" | ".texelscope":
            with zipfile.ZipFile(path) as archive:
                if bad := archive.testzip():
                    raise ValueError(bad)
        case ".png":
            with Image.open(path) as picture:
                picture.load()
        case ".onnx":
            onnx.load(path)
        case _:
            if not path.stat().st_size:
                raise ValueError("it is empty")


def mixed(now: Content, whole: Sequence[Content]) -> list[str]:
    """Files that no step wrote like this, and new folders of which not all files are of one step."""
    strange = [name for name, told in now.items() if all(each.get(name) != told for each in whole)]
    for folder in FOLDERS:
        inside = _below(now, folder)
        if inside and inside not in [_below(each, folder) for each in whole]:
            strange.append(f"{folder}/ with {len(inside)} files")
    return strange


def incomplete(now: Content, whole: Sequence[Content]) -> list[str]:
    """New folders that have not the files that a whole one has."""
    names = {folder: [set(_below(each, folder)) for each in whole] for folder in FOLDERS}
    return [
        f"{folder}/ with {len(inside)} files"
        for folder in FOLDERS
        if (inside := set(_below(now, folder))) and inside not in names[folder]
    ]


def _below(files: Content, folder: str) -> dict[str, str]:
    return {name: told for name, told in files.items() if name.startswith(f"{folder}/")}

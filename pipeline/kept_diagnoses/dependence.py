"""Makes the key under which a pass's diagnosis is kept: a digest of everything that the diagnosis depends on.

That is the program's own files, the driver, the pass's shader texts, its part of the plan and of the model, the file
that the pass is planned by, and the values that it read, made and should have made. Equal keys mean equal work.
"""

from __future__ import annotations

import dataclasses
import enum
import hashlib
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from texelscope.pipeline.compare.capture import Capture
from texelscope.pipeline.errors import TexelscopeError
from texelscope.pipeline.installation import SHIPPED
from texelscope.pipeline.oracle.expected import Expected
from texelscope.pipeline.plan import Pass, Plan, ProgramSource
from texelscope.pipeline.untrusted_files import read_bytes

# Files of these folders and endings decide what a diagnosis finds.
_OWN_FOLDERS, _OWN_ENDINGS = ("pipeline", "layouts", "shaders"), frozenset({".py", ".glsl"})
# Fields of a pass that say nothing of what it computes, or are taken from elsewhere.
_LEFT_OUT = frozenset({"program", "recorded_ms", "notes", "looked_at"})
# A pipeline file is a text of this size at most; a larger target is a model, whose part is in the plan.
_MOST_BYTES = 1 << 20


class _UnknownKindError(Exception):
    """Something is of a kind whose content is not known."""


def key_of(
    plan: Plan,
    shader_pass: Pass,
    program: ProgramSource,
    capture: Capture,
    isolated: Mapping[str, Expected],
    target: str,
) -> str | None:
    """Returns the key of a pass's diagnosis, 64 hexadecimal digits; None where something that it needs is not known.

    `program` is what the pass ran, `capture` what the run gave, `isolated` what the oracle gives for the pass's own
    inputs, and `target` the path that was opened.
    """
    outputs = {key: isolated[key] for key in shader_pass.outputs if key in isolated}
    made = {key: capture.tensors[key] for key in shader_pass.outputs if key in capture.tensors}
    read = {key: _read(plan, capture, key) for key in shader_pass.reads}
    if not outputs or not made or any(each is None for each in read.values()):
        return None
    nodes = {*shader_pass.nodes}
    own = {name: getattr(shader_pass, name) for name in _fields(shader_pass) if name not in _LEFT_OUT}
    everything = (
        program_files(),
        capture.device,
        program,
        own,
        [each for each in (plan.graph.nodes if plan.graph is not None else ()) if each.name in nodes],
        {key: plan.textures[key] for key in (*shader_pass.outputs, *shader_pass.reads)},
        sorted((uniform, at) for (name, uniform), at in plan.bound_at.items() if name == shader_pass.name),
        plan.oracle_file.digest if plan.oracle_file is not None else "",
        _file(target),
        read,
        made,
        outputs,
        {key: capture.unwritten[key] for key in made if key in capture.unwritten},
    )
    digest = hashlib.sha256()
    try:
        _feed(digest, everything)
    except _UnknownKindError:
        return None
    return digest.hexdigest()


def _read(plan: Plan, capture: Capture, key: str) -> Any:
    """Returns the value that a pass read: of the run, or a constant's; None where it is in neither."""
    found = capture.tensors.get(key)
    return found if found is not None else plan.constant(plan.textures[key].tensor)


def _file(target: str) -> bytes:
    """Returns the text that repairs of the pipeline file are lines of; empty for a model."""
    try:
        return read_bytes(target, most=_MOST_BYTES)
    except (TexelscopeError, OSError):
        return b""


@cache
def program_files() -> tuple[tuple[str, int, int], ...]:
    """Returns name, size and time of the program's own files: a checkout changes without another version's number."""
    found = []
    for folder in _OWN_FOLDERS:
        for path in sorted((SHIPPED / folder).rglob("*")):
            if path.suffix in _OWN_ENDINGS:
                known = path.stat()
                found.append((path.relative_to(SHIPPED).as_posix(), known.st_size, known.st_mtime_ns))
    return tuple(found)


def _fields(value: Any) -> tuple[str, ...]:
    return tuple(each.name for each in dataclasses.fields(value))


def _feed(digest: Any, value: Any) -> None:
    """Adds a value to a digest, with its kind and its size, so that different values never look equal.

    Raises _UnknownKindError for an object that is no data.
    """
    digest.update(f"{type(value).__qualname__}:".encode())
    if isinstance(value, np.ndarray):
        if value.dtype.hasobject:
            raise _UnknownKindError
        digest.update(f"{value.dtype.str}{value.shape}:".encode())
        digest.update(np.ascontiguousarray(value).tobytes())
    elif isinstance(value, bytes):
        digest.update(f"{len(value)}:".encode() + value)
    elif value is None or isinstance(value, str | int | float | bool | np.generic | enum.Enum | Path):
        text = repr(value).encode(errors="backslashreplace")
        digest.update(f"{len(text)}:".encode() + text)
    elif isinstance(value, Mapping):
        digest.update(f"{len(value)}:".encode())
        for key in sorted(value, key=repr):
            _feed(digest, key)
            _feed(digest, value[key])
    elif isinstance(value, list | tuple):
        digest.update(f"{len(value)}:".encode())
        for each in value:
            _feed(digest, each)
    elif isinstance(value, frozenset | set):
        _feed(digest, sorted(value, key=repr))
    elif dataclasses.is_dataclass(value):
        for name in _fields(value):
            _feed(digest, name)
            _feed(digest, getattr(value, name))
    else:
        raise _UnknownKindError

"""Turns the keywords of a check into a target, with everything that changes its run."""

from __future__ import annotations

import math
import os
import re
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, cast

import numpy as np
from numpy.typing import NDArray

from texelscope.checking.replaced_shaders import ReplacedShaders
from texelscope.layouts.outside_text import logger
from texelscope.pipeline.atomic_files import write_whole
from texelscope.pipeline.debug_session import DebugSession
from texelscope.pipeline.errors import TexelscopeError, nearest
from texelscope.pipeline.plan import Tolerance
from texelscope.pipeline.target import OpenKeywords, OpenOptions, Target
from texelscope.pipeline.untrusted_files import is_file, is_folder

if TYPE_CHECKING:
    import onnx

WHO = "texelscope.check"
# How long the search for causes and repairs of the wrong passes may take by default; the first one comes first.
SEARCH_SECONDS = 10.0
_LOG = logger("texelscope.plan")
_ODD = re.compile(r"[^A-Za-z0-9._-]+")

# A picture, an .npy file or a pattern, as `--input` takes it; or the values.
InputSource = str | os.PathLike[str] | NDArray[Any]
# rtol and atol.
ToleranceNumbers = Tolerance | tuple[float, float]


class RunKeywords(OpenKeywords, total=False):
    """Adds to the keywords of `texelscope.open` what changes a run.

    `shaders` maps passes to the path of a file or to text, either of which replaces the pass's shader. `inputs` maps
    inputs to sources (a picture, an .npy file, a pattern such as `random:7`) or to arrays. `inject` names sources of
    values for passes that cannot run, as `diff --inject` takes them.
    """

    shaders: Mapping[str, str | os.PathLike[str]]
    inputs: Mapping[str, InputSource]
    inject: Sequence[str]


class CheckKeywords(RunKeywords, total=False):
    """Adds what changes a comparison.

    `tolerances` maps passes or tensors to (rtol, atol), in place of rounding bounds. `frames` are compared, by default
    those of the file. `seconds` limit the search for causes and repairs: 0 for none, None for as long as it takes.
    `html` is where to write the page of a check that fails; its patch lies beside it.
    """

    tolerances: Mapping[str, ToleranceNumbers]
    frames: int | None
    seconds: float | None
    html: str | os.PathLike[str] | None


@dataclass(frozen=True)
class CheckRequest:
    """Holds a target and what to do with it; `title` names it for people."""

    target: Target
    title: str
    shaders: ReplacedShaders
    arrays: Mapping[str, NDArray[Any]] = field(default_factory=lambda: MappingProxyType({}))
    tolerances: Mapping[str, Tolerance] = field(default_factory=lambda: MappingProxyType({}))
    frames: int | None = None
    seconds: float | None = SEARCH_SECONDS
    html: Path | None = None

    def prepare(self, session: DebugSession) -> None:
        """Gives the session the arrays and shaders of the request. Raises TexelscopeError."""
        for name, values in self.arrays.items():
            if name not in session.plan.inputs:
                raise TexelscopeError(
                    f"inputs['{name}']", "an input", "another name", nearest(name, session.plan.inputs)
                )
            session.set_input(name, values)
        self.shaders.put_into(session)


@contextmanager
def requested(target: str | os.PathLike[str] | onnx.ModelProto, keywords: Mapping[str, Any]) -> Iterator[CheckRequest]:
    """Yields the request of a target and keywords (`CheckKeywords`).

    A ModelProto lies in a file of its own inside the `with` block. Raises TexelscopeError for an unknown keyword, and
    for values of a kind that it does not take.
    """
    known = {*CheckKeywords.__required_keys__, *CheckKeywords.__optional_keys__}
    for name in keywords:
        if name not in known:
            raise TexelscopeError(WHO, "an option that it has", f"'{name}'", nearest(name, known))
    if isinstance(target, str | os.PathLike):
        path = Path(target)
        if not (is_file(path) or is_folder(path)):
            expected = "a model, a pipeline file or a shader"
            raise TexelscopeError(str(path), expected, "no such file", "Check the path.")
        yield _request(str(path), path.name, keywords)
        return
    if not hasattr(target, "SerializeToString"):
        kind = type(target).__name__
        raise TexelscopeError(WHO, "a path or an onnx.ModelProto", f"an object of type {kind}", "Give the file's path.")
    name = _ODD.sub("-", target.graph.name)[:60].strip("-.") or "model"
    with tempfile.TemporaryDirectory(prefix="texelscope-") as folder:
        path = Path(folder) / f"{name}.onnx"
        data = target.SerializeToString(deterministic=True)
        write_whole(path, lambda unfinished: unfinished.write_bytes(data), lasting=False)
        yield _request(str(path), path.name, keywords)


def _request(path: str, title: str, keywords: Mapping[str, Any]) -> CheckRequest:
    given = cast("CheckKeywords", keywords)
    own = {*(CheckKeywords.__annotations__.keys() - OpenKeywords.__annotations__.keys())}
    options = OpenOptions(**{name: value for name, value in keywords.items() if name not in own})
    arrays: dict[str, NDArray[Any]] = {}
    sources: dict[str, str] = {}
    for name, source in given.get("inputs", {}).items():
        if isinstance(source, str | os.PathLike):
            sources[name] = os.fspath(source)
        else:
            arrays[name] = np.asarray(source)
    target = Target(path, options, sources, tuple(given.get("inject", ())))
    html = given.get("html")
    return CheckRequest(
        _settled(target),
        title,
        ReplacedShaders(dict(given.get("shaders", {})), Path(path)),
        arrays,
        {name: _tolerance(name, each) for name, each in given.get("tolerances", {}).items()},
        given.get("frames"),
        _seconds(given.get("seconds", SEARCH_SECONDS)),
        None if html is None else Path(html),
    )


def _settled(target: Target) -> Target:
    """Returns the target with layouts in which a shader without a pipeline file matches its model."""
    if not (target.options.oracle or target.options.dialect):
        return target
    from texelscope.pipeline.draft_writing.settling import settled

    target, found = settled(target)
    if found.doubt:
        _LOG.warning("%s", found.doubt)
    return target


def _tolerance(name: str, given: ToleranceNumbers) -> Tolerance:
    try:
        rtol, atol = (given.rtol, given.atol) if isinstance(given, Tolerance) else map(float, given)
    except (TypeError, ValueError):
        rtol = atol = math.nan
    if not all(0.0 <= number < math.inf for number in (rtol, atol)):
        raise TexelscopeError(
            f"tolerances['{name}']", "(rtol, atol), as (1e-4, 1e-6)", repr(given), "Give both numbers."
        )
    return Tolerance(rtol, atol)


def _seconds(given: float | None) -> float | None:
    if given is not None and not 0.0 <= given < math.inf:
        raise TexelscopeError("seconds", "a time from 0 on, or None", repr(given), "For example 30.")
    return given

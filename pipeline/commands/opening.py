"""Opens the target of a command: session, inputs, one run."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType

import pipeline
from pipeline.conventions import check_convention
from pipeline.errors import TexelscopeError
from pipeline.graph import Shape
from pipeline.plan import Storage
from pipeline.session import Session
from pipeline.sources import load_source

Prepare = Callable[[Session], None]
DEFAULT_SOURCE = "random:0"
_LOG = logging.getLogger(__name__)


@dataclass(frozen=True)
class Target:
    """What to open and how, from the command line. `inputs` maps names to sources (file or pattern).

    `trust` lets the Python in a pipeline's oracle file run. `conventions` says by operator whose definition its nodes
    follow instead of ONNX's, see `pipeline.conventions`; `inject` puts the oracle's values in place of what cannot run.
    """

    path: str
    layout: str = "channel_tiles"
    precision: Storage = "float32"
    inputs: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    shapes: Mapping[str, Shape] = field(default_factory=lambda: MappingProxyType({}))
    trust: bool = False
    conventions: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    inject: bool = False


def parse_inputs(values: Sequence[str]) -> dict[str, str]:
    """`NAME=SOURCE` arguments as a mapping; an argument without a name belongs to the only input (key '')."""
    found: dict[str, str] = {}
    for value in values:
        name, separator, source = value.partition("=")
        found[name if separator else ""] = source if separator else value
    return found


def parse_shapes(values: Sequence[str]) -> dict[str, Shape]:
    """`NAME=1,3,224,224` arguments as shapes. Raises TexelscopeError for anything else."""
    found: dict[str, Shape] = {}
    for value in values:
        name, separator, sizes = value.partition("=")
        parts = [part.strip() for part in sizes.split(",")]
        if not separator or not name or not all(_is_size(part) for part in parts):
            raise TexelscopeError("--shape", "NAME=1,3,224,224", f"'{value}'", "Name the input and give all its sizes.")
        found[name] = tuple(int(part) for part in parts)
    return found


def parse_conventions(values: Sequence[str]) -> dict[str, str]:
    """`LRN=tensorflow` arguments as a mapping. Raises TexelscopeError for anything else, with the nearest name."""
    found: dict[str, str] = {}
    for value in values:
        op_type, separator, name = value.partition("=")
        if not separator:
            raise TexelscopeError(
                "--convention", "OPERATOR=NAME, as LRN=tensorflow", f"'{value}'", "'app.py list' shows the names."
            )
        check_convention(op_type, name)
        found[op_type] = name
    return found


def _is_size(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) <= len(str(2**31))


def open_and_run(target: Target, prepare: Prepare | None = None) -> Session:
    """A session on the target with all its inputs set, prepared, and run once. The caller releases it."""
    session = pipeline.open(
        target.path,
        layout=target.layout,
        precision=target.precision,
        shapes=target.shapes,
        trust=target.trust,
        conventions=target.conventions,
    )
    for warning in session.plan.warnings:
        _LOG.warning(warning)
    try:
        set_inputs(session, target)
        if prepare is not None:
            prepare(session)
        session.run()
    except BaseException:
        session.release()
        raise
    return session


def set_inputs(session: Session, target: Target) -> None:
    """Loads and uploads every input; those that neither the command line nor the target sets get seeded noise."""
    sources = dict(target.inputs)
    names = session.plan.inputs
    if "" in sources:
        if len(names) != 1:
            raise TexelscopeError(
                "--input", f"NAME=FILE, NAME one of {', '.join(names)}", f"'{sources['']}'", "Add the name."
            )
        sources[names[0]] = sources.pop("")
    for name in sources:
        if name not in names:
            raise TexelscopeError(
                "--input", f"an input of the model ({', '.join(names)})", f"'{name}'", "Correct the name."
            )
    for name in names:
        if name not in sources and session.is_valid(name):
            continue
        stored = session.plan.textures[name]
        source = sources.get(name, DEFAULT_SOURCE)
        session.set_input(name, load_source(source, stored.shape, name=name, dtype=stored.dtype))

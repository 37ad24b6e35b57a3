"""Models and shader pipelines as framebuffer passes, run on GL and compared with numpy.

```python
import pipeline

with pipeline.open("model.onnx", layout="channel_tiles") as session:
    session.set_input("image", array)
    session.run()
    report = session.compare()
```
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import moderngl
    import onnx

    from pipeline.importers.registry import OpenOptions
    from pipeline.operators.base import Limits
    from pipeline.plan import Plan, Storage
    from pipeline.session import Session


def open(  # noqa: A001 - the name that reads right after `pipeline.`
    target: str | Path | onnx.ModelProto,
    *,
    layout: str = "channel_tiles",
    precision: Storage = "float32",
    shapes: Mapping[str, tuple[int, ...]] | None = None,
    context: moderngl.Context | None = None,
    trust: bool | Collection[str] = False,
    conventions: Mapping[str, str] | None = None,
) -> Session:
    """A session on an .onnx file, a pipeline.toml or an onnx.ModelProto.

    `layout` is that of activations, `precision` their storage (float32, float16), `shapes` the shapes of
    inputs with free dimensions; a pipeline file says these itself. Without a `context` the session makes one,
    with no window, and releases it at its end. `trust` lets the Python in a pipeline's oracle file run: always,
    or if its SHA-256 is among those given. `conventions` says by operator whose definition the nodes follow instead
    of ONNX's, as in {"LRN": "tensorflow"}; see `pipeline.conventions`. Raises TexelscopeError for what cannot be
    opened.
    """
    from pipeline.gl_context import headless_context, limits_of
    from pipeline.importers.registry import OpenOptions
    from pipeline.session import Session

    own = context is None
    context = headless_context() if context is None else context
    try:
        options = OpenOptions(layout, precision, shapes or {}, limits_of(context), trust, conventions or {})
        session = Session(_planned(target, options), context)
    except BaseException:
        if own:
            context.release()
        raise
    if own:
        session.own_context()
    return session


def plan_of(
    target: str | Path | onnx.ModelProto,
    *,
    layout: str = "channel_tiles",
    precision: Storage = "float32",
    shapes: Mapping[str, tuple[int, ...]] | None = None,
    limits: Limits | None = None,
    trust: bool | Collection[str] = False,
    conventions: Mapping[str, str] | None = None,
) -> Plan:
    """The plan of a target, without GL; arguments as for `open`."""
    from pipeline.importers.registry import OpenOptions

    return _planned(target, OpenOptions(layout, precision, shapes or {}, limits, trust, conventions or {}))


def _planned(target: str | Path | onnx.ModelProto, options: OpenOptions) -> Plan:
    from pipeline.importers.registry import importer_for
    from pipeline.memory import check_memory

    planned = importer_for(target).plan(target, options)
    check_memory(planned, options.limits.max_total_bytes if options.limits is not None else None)
    return planned

"""Models and shader pipelines as framebuffer passes, run on GL and compared with numpy.

```python
from texelscope import pipeline

with pipeline.open("model.onnx", layout="channel_tiles") as session:
    session.set_input("image", array)
    session.run()
    report = session.compare()
```
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import Unpack

    import moderngl
    import onnx

    from texelscope.pipeline.debug_session import DebugSession
    from texelscope.pipeline.plan import Plan
    from texelscope.pipeline.target import OpenKeywords


def open(  # noqa: A001 - the name that reads right after `pipeline.`
    target: str | Path | onnx.ModelProto, *, context: moderngl.Context | None = None, **options: Unpack[OpenKeywords]
) -> DebugSession:
    """A session on an .onnx file, a pipeline.toml or an onnx.ModelProto.

    `options` are the fields of `pipeline.target.OpenOptions`: layout, precision, shapes, trust, conventions; the limits
    are the context's. Without a `context` the session makes one, with no window, and releases it at its end.
    Raises TexelscopeError for what cannot be opened.
    """
    from texelscope.pipeline.opening import open_session
    from texelscope.pipeline.target import OpenOptions

    return open_session(target, OpenOptions(**options), context)


def plan_of(target: str | Path | onnx.ModelProto, **options: Unpack[OpenKeywords]) -> Plan:
    """The plan of a target, without GL; `options` as for `open`, with `limits` of a driver."""
    from texelscope.pipeline.importers.registry import plan_of as planned
    from texelscope.pipeline.target import OpenOptions

    return planned(target, OpenOptions(**options))

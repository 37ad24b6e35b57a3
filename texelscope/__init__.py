"""Texelscope runs neural networks as framebuffer passes; `texelscope.open` is where a script begins.

```python
import texelscope

with texelscope.open("model.onnx", layout="channel_tiles") as session:
    session.set_input("image", array)
    session.run()
    report = session.compare()
```
"""

# ruff: noqa: PTH112, PTH118, PTH120 - `python -m texelscope` reads this while the working folder is still on the path:
# `os` is loaded from the start, and a user's own `pathlib.py` or `typing.py` must not be imported in place of Python's.
import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from texelscope.checking.check import check as check
    from texelscope.checking.errors import CheckError as CheckError
    from texelscope.checking.errors import GoldenDiffersError as GoldenDiffersError
    from texelscope.checking.errors import NotComparedError as NotComparedError
    from texelscope.checking.errors import WrongPassError as WrongPassError
    from texelscope.pipeline import open as open  # noqa: A004 - the name that reads right after `texelscope.`
    from texelscope.pipeline import plan_of as plan_of

# The documented names, and the modules that they are in.
_API = {
    "open": "texelscope.pipeline",
    "plan_of": "texelscope.pipeline",
    "check": "texelscope.checking.check",
    "CheckError": "texelscope.checking.errors",
    "GoldenDiffersError": "texelscope.checking.errors",
    "NotComparedError": "texelscope.checking.errors",
    "WrongPassError": "texelscope.checking.errors",
}

# A wheel holds `pipeline`, `layouts` and `viewer` inside this folder. In a checkout they lie beside it.
_OWN = os.path.dirname(os.path.realpath(__file__))
if not os.path.isdir(os.path.join(_OWN, "pipeline")):
    __path__.append(os.path.dirname(_OWN))


def __getattr__(name: str) -> object:
    """The documented functions, imported when a script first asks for one: the command line starts without them."""
    if name in _API:
        import importlib

        return getattr(importlib.import_module(_API[name]), name)
    raise AttributeError(f"module 'texelscope' has no attribute '{name}'")


def __dir__() -> list[str]:
    return sorted({*globals(), *_API})

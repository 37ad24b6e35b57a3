"""Creates a GL context without a window, over EGL where there is no display, and examines its driver.

A session's own context stays current while the session works, whatever else was opened meanwhile: GL calls go to the
current context, not to the object that they are written on, and two sessions with their own contexts would draw into
each other's textures.
"""

from __future__ import annotations

import functools
import sys
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cache
from typing import Any, Concatenate, ParamSpec, TypeVar

import glcontext
import moderngl
import numpy as np

from texelscope.layouts.outside_text import logger
from texelscope.pipeline.device import DeviceInfo, Limits, ShaderVersions, WorkGroups
from texelscope.pipeline.errors import TexelscopeError, said_by
from texelscope.pipeline.gl.driver_threads import spread
from texelscope.pipeline.gl.es_context import EsContext
from texelscope.pipeline.gl.no_context import no_context
from texelscope.pipeline.gl.state import clear_errors, is_es
from texelscope.pipeline.planning.memory import available_memory

_LOG = logger("texelscope.driver")

# More samplers gain nothing: wide nodes are rare, and the plan stays the same on most drivers.
USEFUL_SAMPLERS = 16

# More attachments gain nothing either.
MOST_COLOURS = 8

# Renderers that compute on the processor's cores, by part of their name.
_SOFTWARE = ("llvmpipe", "softpipe", "SwiftShader")

# softpipe says that it reads 65,536 texels of a buffer, and reads the first again for number 32,768.
_SOFTPIPE_BUFFER_TEXELS = 1 << 15

# Devices are tried up to this number.
MAX_DEVICES = 32

# Negative, beyond 16 bits, a power of two, a small integer: clamping, half floats or 8 bits would change these.
_TEXEL = (-1.5, 3.0e5, 0.25, 7.0)

# Requested in this order: some drivers give exactly the requested version, and 4.3 has compute shaders.
VERSIONS = (430, 330)
_ES_VERSION = 310
# Texts for OpenGL ES 3 are made for this version of OpenGL, which is the most like it, and translated at hand-over.
_AS_DESKTOP = 330


def headless_context(device: int = 0) -> moderngl.Context:
    """Creates a context, OpenGL 4.3 core or newer, or 3.3, on the EGL device of that number.

    Raises TexelscopeError if the machine provides none. Other systems than Linux have one device, number 0.
    """
    if device and not _has_devices():
        raise TexelscopeError(f"GL device {device}", "device 0", "another one", "Only EGL has several.")
    refusals = []
    for version in VERSIONS if sys.platform != "darwin" else VERSIONS[-1:]:  # CGL gives its newest, 4.1, in any case
        try:
            made: Any = {"context": _standalone(version, device)} if _has_devices() else {}
            context = moderngl.create_context(standalone=True, require=version, **made)
            _LOG.info("driver: %s", device_of(context))
            spread(context)
            return context
        except Exception as error:  # noqa: BLE001 - glcontext raises bare Exception
            refusals.append(error)
    if _has_devices() and not device:
        try:
            es: Any = _SharedEntryPoints(EsContext())
            context = moderngl.create_context(context=es, require=_ES_VERSION)
            _LOG.info("driver: %s", device_of(context))
            clear_errors(context)  # moderngl asks for limits that ES does not have
            spread(context)
            return context
        except Exception as error:  # noqa: BLE001 - as above
            _LOG.info("OpenGL ES: %s", said_by(error))
    if device:
        raise TexelscopeError(
            f"GL device {device}", "a device that this machine has", str(refusals[-1]), "Count from 0, or say 'all'."
        ) from refusals[-1]
    found = no_context(said_by(refusals[-1]))
    raise TexelscopeError("OpenGL", "a 3.3 core context without a window", found.got, found.do_next) from refusals[-1]


class _SharedEntryPoints:
    """Wraps a context for moderngl; equal addresses of GL functions are one number in every context.

    moderngl never frees these numbers, some 900 for each context.
    """

    def __init__(self, context: Any) -> None:
        self._context = context

    def load(self, name: str) -> int:
        """Returns the address of a GL function; 0 for an unknown name."""
        return _shared(self._context.load(name))

    def release(self) -> None:
        """Releases the context."""
        self._context.release()

    def __enter__(self) -> Any:
        return self._context.__enter__()

    def __exit__(self, *exception: object) -> Any:
        return self._context.__exit__(*exception)


@cache
def _shared(address: int) -> int:
    return address


def _standalone(version: int, device: int) -> _SharedEntryPoints:
    """Creates a context over EGL and makes it current. Raises Exception, as glcontext does, if the machine has none."""
    make = glcontext.get_backend_by_name("egl")
    return _SharedEntryPoints(make(glversion=version, mode="standalone", device_index=device))


def headless_contexts() -> Iterator[moderngl.Context]:
    """Yields a context on each device of this machine, at least the first; the caller releases them.

    Raises TexelscopeError if there is none at all.
    """
    yield headless_context()
    for device in range(1, MAX_DEVICES if _has_devices() else 1):
        try:
            yield headless_context(device)
        except TexelscopeError:
            return


def _has_devices() -> bool:
    return sys.platform.startswith("linux")


def limits_of(context: moderngl.Context) -> Limits:
    """Returns texture size, number of samplers and memory, which bound plans for this context."""
    limits = Limits(
        max_texture_texels=int(context.info["GL_MAX_TEXTURE_SIZE"]),
        max_samplers=min(int(context.info["GL_MAX_TEXTURE_IMAGE_UNITS"]), USEFUL_SAMPLERS),
        max_colours=min(int(context.info["GL_MAX_DRAW_BUFFERS"]), MOST_COLOURS),
        max_layers=int(context.info["GL_MAX_ARRAY_TEXTURE_LAYERS"]),
        max_3d_texels=int(context.info["GL_MAX_3D_TEXTURE_SIZE"]),
        max_buffer_texels=_buffer_texels(context),
        max_total_bytes=available_memory(),
        version=_AS_DESKTOP if is_es(context) else context.version_code,
        is_software=any(name in context.info["GL_RENDERER"] for name in _SOFTWARE),
        work_groups=_work_groups(context),
        extensions=frozenset(context.extensions),
        shaders=shader_versions(context),
    )
    _newest_limits().append(limits)
    return limits


# By the extension that a desktop driver has GLSL ES with: its version, and OpenGL's that has the extension built in.
_ES_WITH = {
    "GL_ARB_ES3_2_compatibility": (320, 470),
    "GL_ARB_ES3_1_compatibility": (310, 450),
    "GL_ARB_ES3_compatibility": (300, 430),
}


def shader_versions(context: moderngl.Context) -> ShaderVersions:
    """Returns the versions of GLSL that the driver compiles.

    One without ES 3.00 counts as one without any: before OpenGL 4.3 drivers differ in whether they take ES 1.00.
    """
    version, extensions = context.version_code, context.extensions
    if is_es(context):
        return ShaderVersions(0, version, frozenset(extensions))
    es = (es for name, (es, built_in) in _ES_WITH.items() if name in extensions or version >= built_in)
    return ShaderVersions(version, next(es, 0))


def version_told(context: moderngl.Context) -> str:
    """Returns the driver's version in words: "OpenGL 4.1"."""
    return f"OpenGL {'ES ' * is_es(context)}{context.version_code // 100}.{context.version_code // 10 % 10}"


def _buffer_texels(context: moderngl.Context) -> int:
    claimed = int(context.info["GL_MAX_TEXTURE_BUFFER_SIZE"])
    is_softpipe = context.info["GL_RENDERER"] == "softpipe"
    return min(claimed, _SOFTPIPE_BUFFER_TEXELS) if is_softpipe else claimed


def limits_seen() -> Limits | None:
    """Returns the limits of the last context examined, with the present memory; None before the first one."""
    seen = _newest_limits()
    return replace(seen[-1], max_total_bytes=available_memory()) if seen else None


@cache
def _newest_limits() -> deque[Limits]:
    return deque(maxlen=1)


def _work_groups(context: moderngl.Context) -> WorkGroups | None:
    """Returns the driver's limits of work groups; for shared memory, which moderngl does not query, the minimum."""
    if context.version_code < VERSIONS[0]:
        return None
    return WorkGroups(
        invocations=int(context.info["GL_MAX_COMPUTE_WORK_GROUP_INVOCATIONS"]),
        count=context.info["GL_MAX_COMPUTE_WORK_GROUP_COUNT"],
        block_bytes=int(context.info["GL_MAX_SHADER_STORAGE_BLOCK_SIZE"]),
        blocks=int(context.info["GL_MAX_COMPUTE_SHADER_STORAGE_BLOCKS"]),
    )


def device_of(context: moderngl.Context) -> DeviceInfo:
    """Returns renderer and version strings of the driver."""
    return DeviceInfo(str(context.info["GL_RENDERER"]), str(context.info["GL_VERSION"]))


@dataclass(frozen=True)
class DriverProbe:
    """Holds whether the driver passed a check, and what was seen."""

    passed: bool
    seen: str


def float_target(context: moderngl.Context) -> DriverProbe:
    """Tests whether negative and large values survive a float32 render target and its read-back."""
    texture = context.texture((1, 1), 4, dtype="f4")
    target = context.framebuffer([texture])
    target.clear(*_TEXEL)
    texel = np.frombuffer(target.read(components=4, dtype="f4"), dtype=np.float32)
    target.release()
    texture.release()
    exact = np.array_equal(texel, np.array(_TEXEL, dtype=np.float32))
    return DriverProbe(exact, "exact" if exact else f"{texel.tolist()} in place of {list(_TEXEL)}")


def timer(context: moderngl.Context) -> DriverProbe:
    """Tests whether timer queries work."""
    try:
        query = context.query(time=True)
        with query:
            context.finish()
        return DriverProbe(passed=True, seen=f"{query.elapsed} ns for an empty query")
    except moderngl.Error as error:
        return DriverProbe(passed=False, seen=str(error))


class OnContext:
    """Works on its own GL context, or on one that its caller keeps current."""

    def __init__(self, context: moderngl.Context) -> None:
        self._context = context
        self._owns_context = False

    @property
    def context(self) -> moderngl.Context:
        """The GL context."""
        return self._context

    def own_context(self) -> None:
        """Takes ownership of the GL context: current whenever this works, released with it."""
        self._owns_context = True

    def make_current(self) -> None:
        """Makes its own GL context current, permanently; a context from outside is its owner's task."""
        if self._owns_context:
            self._context.__enter__()  # type: ignore[no-untyped-call]  # leaving it would leave none current

    def release_context(self) -> None:
        """Releases the GL context if it is its own."""
        if self._owns_context:
            self._context.release()


Owner = TypeVar("Owner", bound=OnContext)
Arguments = ParamSpec("Arguments")
Result = TypeVar("Result")


def made_on(context: moderngl.Context | None, make: Callable[[moderngl.Context], Owner]) -> Owner:
    """Calls `make` with the context, or with a new windowless one, which the result then owns."""
    if context is not None:
        return make(context)
    context = headless_context()
    try:
        made = make(context)
    except BaseException:
        context.release()
        raise
    made.own_context()
    return made


def on_its_context(
    method: Callable[Concatenate[Owner, Arguments], Result],
) -> Callable[Concatenate[Owner, Arguments], Result]:
    """Makes its owner's own context current before the method runs."""

    @functools.wraps(method)
    def with_context(owner: Owner, /, *args: Arguments.args, **kwargs: Arguments.kwargs) -> Result:
        owner.make_current()
        return method(owner, *args, **kwargs)

    return with_context

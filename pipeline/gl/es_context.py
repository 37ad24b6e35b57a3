"""Creates a context of OpenGL ES over EGL, without a window, where a driver has no desktop OpenGL that does.

A Raspberry Pi has OpenGL 3.1 and OpenGL ES 3.1, ANGLE has OpenGL ES alone and lists no devices.
"""

from __future__ import annotations

import ctypes
import ctypes.util
from typing import Any

from texelscope.pipeline.gl.es_functions import EsFunctions
from texelscope.pipeline.gl.pyopengl_functions import give_to_pyopengl

# The oldest version that will do: before it, no texture says its size.
_VERSION = (3, 1)
# Of EGL's registry.
_OPENGL_ES_API, _RENDERABLE_TYPE, _ES3_BIT, _SURFACE_TYPE, _PBUFFER_BIT, _NONE = (
    0x30A0,
    0x3040,
    0x0040,
    0x3033,
    1,
    0x3038,
)
_MAJOR, _MINOR, _WIDTH, _HEIGHT = 0x3098, 0x30FB, 0x3057, 0x3056
_SURFACELESS, _DEVICE = 0x31DD, 0x313F
# GL_VERSION of OpenGL.
_VERSION_NAME = 0x1F02
_POINTER, _INT = ctypes.c_void_p, ctypes.c_int
_RESULTS = {
    "eglGetProcAddress": _POINTER, "eglGetDisplay": _POINTER, "eglCreateContext": _POINTER,
    "eglCreatePbufferSurface": _POINTER,
}  # fmt: skip


class EsContext:
    """Wraps a context as moderngl takes them: current, with its functions by name. Raises OSError if there is none."""

    def __init__(self) -> None:
        self._egl = ctypes.CDLL(ctypes.util.find_library("EGL") or "libEGL.so.1")
        for name, result in _RESULTS.items():
            getattr(self._egl, name).restype = result
        self._egl.eglGetProcAddress.argtypes = [ctypes.c_char_p]
        self._display = self._opened()
        self._surface: Any = None
        config = self._config()
        attributes = (_INT * 5)(_MAJOR, _VERSION[0], _MINOR, _VERSION[1], _NONE)
        self._context = _POINTER(self._egl.eglCreateContext(self._display, config, None, attributes))
        if not self._context.value:
            raise self._error("eglCreateContext for OpenGL ES 3.1")
        if not self._is_current() and config is not None:
            size = (_INT * 5)(_WIDTH, 1, _HEIGHT, 1, _NONE)
            self._surface = _POINTER(self._egl.eglCreatePbufferSurface(self._display, config, size))
        self.__enter__()
        self._functions = EsFunctions(lambda name: self._egl.eglGetProcAddress(name.encode()) or 0)
        if not _is_known_to_pyopengl():
            give_to_pyopengl(self._functions)

    def load(self, name: str) -> int:
        """Returns the address of a GL function; 0 for an unknown name."""
        return self._functions.address(name)

    def __enter__(self) -> None:
        """Makes it current."""
        if not self._is_current():
            raise self._error("eglMakeCurrent")

    def __exit__(self, *exception: object) -> None:
        """Leaves none current."""
        self._egl.eglMakeCurrent(self._display, None, None, None)

    def release(self) -> None:
        """Releases it."""
        self._egl.eglDestroyContext(self._display, self._context)

    def _opened(self) -> Any:
        """Returns the first display that opens: of a device, without a surface, or the default one."""
        for display in self._displays():
            if display and self._egl.eglInitialize(_POINTER(display), None, None):
                if not self._egl.eglBindAPI(_OPENGL_ES_API):
                    raise self._error("eglBindAPI for OpenGL ES")
                return _POINTER(display)
        raise self._error("eglInitialize")

    def _displays(self) -> Any:
        devices, count = (_POINTER * 32)(), _INT()
        list_devices = self._extension("eglQueryDevicesEXT", ctypes.c_uint, _INT, _POINTER, _POINTER)
        of_platform = self._extension("eglGetPlatformDisplayEXT", _POINTER, ctypes.c_uint, _POINTER, _POINTER)
        if of_platform is not None:
            if list_devices is not None and list_devices(32, devices, ctypes.byref(count)):
                yield from (of_platform(_DEVICE, device, None) for device in devices[: count.value])
            yield of_platform(_SURFACELESS, None, None)
        yield self._egl.eglGetDisplay(None)

    def _extension(self, name: str, result: Any, *arguments: Any) -> Any:
        address = self._egl.eglGetProcAddress(name.encode())
        return ctypes.CFUNCTYPE(result, *arguments)(address) if address else None

    def _config(self) -> Any:
        """Returns a config with a surface if there is one; contexts without a surface need none."""
        for wanted in ((_RENDERABLE_TYPE, _ES3_BIT, _SURFACE_TYPE, _PBUFFER_BIT), (_RENDERABLE_TYPE, _ES3_BIT)):
            config, count = _POINTER(), _INT()
            attributes = (_INT * (len(wanted) + 1))(*wanted, _NONE)
            self._egl.eglChooseConfig(self._display, attributes, ctypes.byref(config), 1, ctypes.byref(count))
            if count.value:
                return config
        return None

    def _is_current(self) -> bool:
        return bool(self._egl.eglMakeCurrent(self._display, self._surface, self._surface, self._context))

    def _error(self, what: str) -> OSError:
        return OSError(f"{what} failed (0x{self._egl.eglGetError():x})")


def _is_known_to_pyopengl() -> bool:
    """Reports whether the system's OpenGL library, which PyOpenGL calls, knows the current context.

    It does if all libraries lead to the same driver, as on a desktop. ANGLE has libraries of its own.
    """
    from OpenGL import platform

    try:
        text = platform.PLATFORM.GL.glGetString
    except (AttributeError, OSError):
        return False
    text.restype, text.argtypes = ctypes.c_char_p, [ctypes.c_uint]
    return text(_VERSION_NAME) is not None

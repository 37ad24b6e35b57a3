"""Completes OpenGL ES with the functions of desktop OpenGL that moderngl calls.

moderngl loads functions by name from the context that it is given, so that a name may stand for a function of ours.
ES reads no texture, only a framebuffer, of which it promises four lanes of 32 bits or of 8 alone; its depths are
float32; and it has fewer features to switch, so that a desktop's name for one would leave an error behind.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from typing import Any

import numpy as np

_UINT, _INT, _FLOAT, _DOUBLE, _POINTER = (
    ctypes.c_uint, ctypes.c_int, ctypes.c_float, ctypes.c_double, ctypes.c_void_p,
)  # fmt: skip
# Features that OpenGL ES 3.1 switches: blend, cull face, depth test, dither, polygon offset fill, sample alpha to
# coverage, sample coverage, scissor test, stencil test, rasterizer discard, primitive restart with a fixed index and
# sample mask.
_SWITCHES = frozenset({0x0BE2, 0x0B44, 0x0B71, 0x0BD0, 0x8037, 0x809E, 0x80A0, 0x0C11, 0x0B90, 0x8C89, 0x8D69, 0x8E51})
_TEXTURE_2D, _READ_FRAMEBUFFER, _READ_BINDING, _TEXTURE_BINDING = 0x0DE1, 0x8CA8, 0x8CAA, 0x8069
_COLOR_0, _WIDTH, _HEIGHT, _BUFFER_SIZE = 0x8CE0, 0x1000, 0x1001, 0x8764
# GL_READ_ONLY, GL_WRITE_ONLY, GL_READ_WRITE as bits of glMapBufferRange.
_ACCESS = {0x88B8: 1, 0x88B9: 2, 0x88BA: 3}

_MAJOR, _MINOR = 0x821B, 0x821C
# Functions of ES 3.2 that older drivers have by another name, if they have them.
_SINCE_3_2 = frozenset({
    "glObjectLabel", "glGetObjectLabel", "glPushDebugGroup", "glPopDebugGroup", "glDebugMessageInsert",
    "glDebugMessageCallback", "glEnablei", "glDisablei", "glBlendFunci", "glBlendEquationi", "glTexBuffer",
    "glTexBufferRange", "glFramebufferTexture", "glCopyImageSubData", "glMinSampleShading", "glPatchParameteri",
    "glTexStorage3DMultisample",
})  # fmt: skip
# Functions that no version of ES has, but an extension.
_BY_EXTENSION = frozenset({"glGetQueryObjectui64v", "glGetQueryObjecti64v", "glQueryCounter"})
_DRAW_BUFFER, _DRAW_BUFFER_0, _BACK = 0x0C01, 0x8825, 0x0405
_READ_BUFFER, _COMPONENT_TYPE, _PACK_ALIGNMENT = 0x0C02, 0x8211, 0x0D05
# GL_RED, GL_RG, GL_RGB, GL_RGBA, and their kinds of whole numbers: lanes, and the format with four.
_RGBA, _RGBA_INTEGER = 0x1908, 0x8D99
_LANES = {
    0x1903: (1, _RGBA), 0x8227: (2, _RGBA), 0x1907: (3, _RGBA), _RGBA: (4, _RGBA),
    0x8D94: (1, _RGBA_INTEGER), 0x8228: (2, _RGBA_INTEGER), 0x8D98: (3, _RGBA_INTEGER),
    _RGBA_INTEGER: (4, _RGBA_INTEGER),
}  # fmt: skip
_BYTE, _FLOAT32, _FLOAT16 = 0x1401, 0x1406, 0x140B
# By GL's type of a lane, numpy's, and the type to read it as.
_TYPES = {
    _BYTE: ("u1", _BYTE), _FLOAT32: ("f4", _FLOAT32), _FLOAT16: ("f2", _FLOAT32), 0x1404: ("i4", 0x1404),
    0x1405: ("u4", 0x1405),
}  # fmt: skip

Load = Callable[[str], int]


class EsFunctions:
    """Gives the addresses of functions by desktop OpenGL's names; keep it as long as they may be called."""

    def __init__(self, load: Load) -> None:
        self._load = load
        self._read_pixels = self._function("glReadPixels", None, _INT, _INT, _INT, _INT, _UINT, _UINT, _POINTER)
        self._value_of = self._function("glGetIntegerv", None, _UINT, _POINTER)
        self._attachment = self._function("glGetFramebufferAttachmentParameteriv", None, _UINT, _UINT, _UINT, _POINTER)
        self._is_old = (self._value(_MAJOR), self._value(_MINOR)) < (3, 2)
        self._own: dict[str, Any] = {
            "glEnable": self._switch("glEnable"),
            "glDisable": self._switch("glDisable"),
            "glClearDepth": self._with_float32("glClearDepthf"),
            "glDepthRange": self._depth_range(),
            "glDrawBuffer": self._draw_buffer(),
            "glMapBuffer": self._map_buffer(),
            "glGetTexImage": self._texture_image(),
            "glReadPixels": ctypes.CFUNCTYPE(None, _INT, _INT, _INT, _INT, _UINT, _UINT, _POINTER)(self._read),
            "glGetIntegerv": ctypes.CFUNCTYPE(None, _UINT, _POINTER)(self._integers),
            "glReadBuffer": self._read_buffer(),
            "glColorMaski": self._color_mask(),
            "glClampColor": ctypes.CFUNCTYPE(None, _UINT, _UINT)(lambda _target, _clamp: None),
            "glPolygonMode": ctypes.CFUNCTYPE(None, _UINT, _UINT)(lambda _face, _mode: None),
            "glProvokingVertex": ctypes.CFUNCTYPE(None, _UINT)(lambda _mode: None),
            "glPrimitiveRestartIndex": ctypes.CFUNCTYPE(None, _UINT)(lambda _index: None),
            "glPointSize": ctypes.CFUNCTYPE(None, _FLOAT)(lambda _size: None),
            "glLogicOp": ctypes.CFUNCTYPE(None, _UINT)(lambda _operation: None),
        }

    def address(self, name: str) -> int:
        """Returns the address of a function; 0 for one that neither ES nor this has."""
        own = self._own.get(name)
        if own is not None:
            return ctypes.cast(own, _POINTER).value or 0
        if name in _BY_EXTENSION:
            return self._load(f"{name}EXT")
        if self._is_old and name in _SINCE_3_2:  # such a driver may give an address that leads to an error
            return next(filter(None, (self._load(name + suffix) for suffix in ("KHR", "OES", "EXT"))), 0)
        return self._load(name)

    def _function(self, name: str, result: Any, *arguments: Any) -> Any:
        return ctypes.CFUNCTYPE(result, *arguments)(self._load(name))

    def _switch(self, name: str) -> Any:
        switch = self._function(name, None, _UINT)
        return ctypes.CFUNCTYPE(None, _UINT)(lambda feature: switch(feature) if feature in _SWITCHES else None)

    def _with_float32(self, name: str) -> Any:
        return ctypes.CFUNCTYPE(None, _DOUBLE)(self._function(name, None, _FLOAT))

    def _color_mask(self) -> Any:
        """Masks one target, or all where the driver knows no single ones: they are masked alike here."""
        names = ("glColorMaskiOES", "glColorMaskiEXT") if self._is_old else ("glColorMaski",)
        of_one = next(filter(None, map(self._load, names)), 0)
        if of_one:
            return ctypes.CFUNCTYPE(None, _UINT, *[ctypes.c_ubyte] * 4)(of_one)
        of_all = self._function("glColorMask", None, *[ctypes.c_ubyte] * 4)
        return ctypes.CFUNCTYPE(None, _UINT, *[ctypes.c_ubyte] * 4)(lambda _target, *lanes: of_all(*lanes))

    def _depth_range(self) -> Any:
        set_range = self._function("glDepthRangef", None, _FLOAT, _FLOAT)
        return ctypes.CFUNCTYPE(None, _DOUBLE, _DOUBLE)(lambda near, far: set_range(near, far))

    def _draw_buffer(self) -> Any:
        draw_buffers = self._function("glDrawBuffers", None, _INT, _POINTER)
        return ctypes.CFUNCTYPE(None, _UINT)(lambda buffer: draw_buffers(1, ctypes.byref(_UINT(buffer))))

    def _map_buffer(self) -> Any:
        size_of = self._function("glGetBufferParameteriv", None, _UINT, _UINT, _POINTER)
        map_range = self._function("glMapBufferRange", _POINTER, _UINT, ctypes.c_ssize_t, ctypes.c_ssize_t, _UINT)

        def map_whole(target: int, access: int) -> int | None:
            size = _INT()
            size_of(target, _BUFFER_SIZE, ctypes.byref(size))
            return map_range(target, 0, size.value, _ACCESS[access])  # type: ignore[no-any-return]

        return ctypes.CFUNCTYPE(_POINTER, _UINT, _UINT)(map_whole)

    def _texture_image(self) -> Any:
        """Reads the bound texture through a framebuffer; a kind that cannot be a target is left unread."""
        size_of = self._function("glGetTexLevelParameteriv", None, _UINT, _INT, _UINT, _POINTER)
        make = self._function("glGenFramebuffers", None, _INT, _POINTER)
        delete = self._function("glDeleteFramebuffers", None, _INT, _POINTER)
        bind = self._function("glBindFramebuffer", None, _UINT, _UINT)
        attach = self._function("glFramebufferTexture2D", None, _UINT, _UINT, _UINT, _UINT, _INT)

        def image(target: int, level: int, form: int, kind: int, pixels: int | None) -> None:
            before, texture = self._value(_READ_BINDING), self._value(_TEXTURE_BINDING)
            width, height, name = _INT(), _INT(), _UINT()
            size_of(target, level, _WIDTH, ctypes.byref(width))
            size_of(target, level, _HEIGHT, ctypes.byref(height))
            make(1, ctypes.byref(name))
            bind(_READ_FRAMEBUFFER, name.value)
            attach(_READ_FRAMEBUFFER, _COLOR_0, target, texture, level)
            self._read(0, 0, width.value, height.value, form, kind, pixels)
            bind(_READ_FRAMEBUFFER, before)
            delete(1, ctypes.byref(name))

        return ctypes.CFUNCTYPE(None, _UINT, _INT, _UINT, _UINT, _POINTER)(image)

    def _integers(self, name: int, values: int | None) -> None:
        self._value_of(_DRAW_BUFFER_0 if name == _DRAW_BUFFER else name, values)

    def _read_buffer(self) -> Any:
        """Chooses what is read; moderngl asks a default framebuffer for an attachment, which ES refuses."""
        read_buffer = self._function("glReadBuffer", None, _UINT)

        def choose(buffer: int) -> None:
            is_default = buffer >= _COLOR_0 and self._value(_READ_BINDING) == 0
            read_buffer(_BACK if is_default else buffer)

        return ctypes.CFUNCTYPE(None, _UINT)(choose)

    def _value(self, name: int) -> int:
        value = _INT()
        self._value_of(name, ctypes.byref(value))
        return value.value

    def _read(self, x: int, y: int, width: int, height: int, form: int, kind: int, pixels: int | None) -> None:
        """Reads pixels as desktop OpenGL does: four lanes as ES promises them, of which those asked for are kept."""
        if form not in _LANES or kind not in _TYPES:
            self._read_pixels(x, y, width, height, form, kind, pixels)
            return
        (lanes, four), (dtype, read_as) = _LANES[form], _TYPES[kind]
        held = self._held() if read_as in (_BYTE, _FLOAT32) else read_as
        if form == four and kind == held:
            self._read_pixels(x, y, width, height, form, kind, pixels)
            return
        whole = np.empty((height, width, 4), _TYPES[held][0])
        self._read_pixels(x, y, width, height, four, held, whole.ctypes.data)
        if held == _BYTE != read_as:
            whole = whole / np.float32(255.0)
        elif read_as == _BYTE != held:
            whole = np.rint(np.clip(np.nan_to_num(whole), 0.0, 1.0) * np.float32(255.0))
        asked = np.ascontiguousarray(whole[:, :, :lanes].astype(dtype)).view(np.uint8).reshape(height, -1)
        alignment = self._value(_PACK_ALIGNMENT)
        stride = -(-asked.shape[1] // alignment) * alignment
        for row in range(height):
            ctypes.memmove((pixels or 0) + row * stride, asked[row].ctypes.data, asked.shape[1])

    def _held(self) -> int:
        """Returns the type of the lanes of what is read: ES converts none."""
        kind = _INT()
        if (attachment := self._value(_READ_BUFFER)) >= _COLOR_0:
            self._attachment(_READ_FRAMEBUFFER, attachment, _COMPONENT_TYPE, ctypes.byref(kind))
        return _FLOAT32 if kind.value == _FLOAT32 else _BYTE

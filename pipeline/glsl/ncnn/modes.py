"""Defines ncnn's modes, which one source serves: bits of storage and arithmetic, and whether blobs are images."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from texelscope.pipeline.device import Limits
from texelscope.pipeline.errors import TexelscopeError, UnsupportedError, nearest
from texelscope.pipeline.plan import Storage

# Extensions that a driver needs for arithmetic in 16 bits (GLSL types float16_t, f16vec4, f16mat2x4 …).
HALF_TYPES = "GL_AMD_gpu_shader_half_float"


@dataclass(frozen=True)
class NcnnMode:
    """Describes the storage of numbers (`fp32`, `fp16_packed`, `fp16_storage`), and `macros` for the shader.

    `fp16_packed` packs two or more numbers with packHalf2x16 and leaves single ones at 32 bits, or, as in ncnn
    since 2026 (`packs_singles`), these too; `fp16_storage` stores all in 16 bits. With `has_half_arithmetic` all is
    computed in 16 bits. With `has_images` blobs are images.
    """

    name: str
    stored: str = "fp32"
    has_half_arithmetic: bool = False
    has_images: bool = False
    packs_singles: bool = False

    @property
    def singles_are_halves(self) -> bool:
        """Reports whether a single number is stored in 16 bits."""
        return self.stored == "fp16_storage" or (self.stored == "fp16_packed" and self.packs_singles)

    def storage(self, numbers: int) -> Storage:
        """Returns the storage of a tensor with `numbers` numbers per packed element."""
        if self.stored == "fp32" or (numbers == 1 and not self.singles_are_halves):
            return "float32"
        return "float16"

    @property
    def macros(self) -> Mapping[str, int]:
        """Returns ncnn's enabled option macros, each 1; the others are not defined."""
        found = {
            "NCNN_fp16_packed": self.stored == "fp16_packed",
            "NCNN_fp16_storage": self.stored == "fp16_storage",
            "NCNN_fp16_arithmetic": self.has_half_arithmetic,
            "NCNN_image_shader": self.has_images,
            "NCNN_shader_local_memory": not self.has_images,
        }
        return MappingProxyType({name: 1 for name, is_on in found.items() if is_on})

    def check(self, limits: Limits) -> None:
        """Raises UnsupportedError if a driver with those limits cannot run shaders in this mode."""
        if limits.work_groups is None:
            raise UnsupportedError(
                f"ncnn mode '{self.name}'", "OpenGL 4.3, which has compute shaders", "an older one",
                "Open it on another driver: see 'doctor'.",
            )  # fmt: skip
        self.check_arithmetic(limits)

    def check_arithmetic(self, limits: Limits) -> None:
        """Checks, as `check`, only the mode's arithmetic."""
        if self.has_half_arithmetic and HALF_TYPES not in limits.extensions:
            others = ", ".join(mode.name for mode in MODES if not mode.has_half_arithmetic)
            raise UnsupportedError(
                f"ncnn mode '{self.name}'", f"a driver with {HALF_TYPES}, whose types compute in 16 bits",
                "one without it", f"Valid here: {others}.",
            )  # fmt: skip


MODES = (
    NcnnMode("fp32"),
    NcnnMode("fp16_packed", "fp16_packed"),
    NcnnMode("fp16_storage", "fp16_storage"),
    NcnnMode("fp16_arithmetic", "fp16_packed", has_half_arithmetic=True),
    NcnnMode("fp32_image", has_images=True),
    NcnnMode("fp16_packed_image", "fp16_packed", has_images=True),
    NcnnMode("fp16_storage_image", "fp16_storage", has_images=True),
)


def mode_called(name: str) -> NcnnMode:
    """Returns the mode of that name. Raises TexelscopeError, with the nearest one, if there is none."""
    found = next((mode for mode in MODES if mode.name == name), None)
    if found is None:
        names = [mode.name for mode in MODES]
        raise TexelscopeError("ncnn mode", f"one of {', '.join(names)}", f"'{name}'", nearest(name, names))
    return found

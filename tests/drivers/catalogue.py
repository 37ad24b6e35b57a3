"""Lists the drivers that are tried, with the environment in which a process finds each of them."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType

from tests.machines.profiles import MACHINES

# For drivers of Vulkan and of Wayland, which look for their sockets there.
RUNTIME = "XDG_RUNTIME_DIR"


@dataclass(frozen=True)
class Driver:
    """A driver by its `name`; `says` is for people, `environment` is added to a process's own.

    `needs` are Debian packages beside those of the program; `fetched` says that `tests.drivers.fetch` gets it, and
    `in_image` that it is tried in the image of Containerfile. One that `is_slow` may fix less in the time for it.
    """

    name: str
    says: str
    environment: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    needs: Sequence[str] = ()
    fetched: bool = False
    in_image: bool = False
    is_slow: bool = False


def _imitated(name: str, says: str) -> Driver:
    own = MACHINES[name].process_environment()
    return Driver(name, says, {key: value for key, value in own.items() if os.environ.get(key) != value})


def catalogue() -> tuple[Driver, ...]:
    """Returns the drivers, the usual one first."""
    return (
        Driver("llvmpipe", "Mesa's usual driver on the processor"),
        Driver("softpipe", "Mesa's reference driver on the processor: no compiler, very slow",
               {"GALLIUM_DRIVER": "softpipe"}, is_slow=True),
        Driver("zink on lavapipe", "Mesa's OpenGL over Vulkan, on its Vulkan driver on the processor",
               {"GALLIUM_DRIVER": "zink", "LIBGL_ALWAYS_SOFTWARE": "1"}, ("mesa-vulkan-drivers",)),
        Driver("ANGLE on SwiftShader", "Chromium's OpenGL ES over Vulkan, on its Vulkan driver on the processor",
               {"ANGLE_DEFAULT_PLATFORM": "swiftshader"}, fetched=True),
        Driver("llvmpipe of Debian 13", "a newer Mesa, with a newer Python, in the image of Containerfile",
               in_image=True),
        _imitated("strict-4.1", "OpenGL 4.1 as macOS has it, imitated"),
        _imitated("strict-3.3", "OpenGL 3.3, imitated"),
        _imitated("es-3.1", "OpenGL ES 3.1 as on a Raspberry Pi, imitated"),
    )  # fmt: skip

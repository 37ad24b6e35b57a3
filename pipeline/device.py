"""Describes a driver before anything runs on it: its identity and its limits."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class DeviceInfo:
    """Identifies the driver and the device that ran."""

    renderer: str
    version: str


@dataclass(frozen=True)
class WorkGroups:
    """The compute limits of a driver; its defaults are the least that OpenGL 4.3 allows.

    They are the shared memory and invocations of a work group, the work groups along each axis of a dispatch, the size
    of a storage block and the number of blocks.
    """

    shared_bytes: int = 32768
    invocations: int = 1024
    count: tuple[int, int, int] = (65535, 65535, 65535)
    block_bytes: int = 1 << 24
    blocks: int = 8


@dataclass(frozen=True)
class ShaderVersions:
    """The newest versions of desktop GLSL and of GLSL ES that a driver compiles; 0 for none.

    `extensions` are those of ES that make it more like the desktop; none where there is desktop GLSL.
    """

    desktop: int = 460
    es: int = 320
    extensions: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Limits:
    """The limits of a driver: texture width and height in texels, sampler uniforms of a fragment shader.

    `max_colours` are the colour attachments that a draw writes to: OpenGL 3.3 promises eight, OpenGL ES 3.1 four.

    `max_layers` are the slices of an array texture, `max_3d_texels` each side of a 3-d one, and `max_buffer_texels` the
    texels of a buffer texture.

    `max_loop_turns` is how often all loops of one fragment together may turn: llvmpipe silently ends them after 65,535
    (LP_MAX_TGSI_LOOP_ITERATIONS of Mesa's gallivm). `max_total_bytes` limits all textures of a plan; None where
    unknown. `version` is that of OpenGL as shaders name it, and `is_software` says that the driver computes on the
    processor's cores. Without `work_groups` the driver has no compute shaders. `extensions` are OpenGL's that it has,
    and `shaders` the versions of GLSL. `workspace_bytes`, no matter of the driver, are those that a form may take
    between its steps: for partial sums that several work groups share, for Winograd's products; None where nothing
    limits them.
    """

    max_texture_texels: int = 16384
    max_samplers: int = 16
    max_colours: int = 8
    max_layers: int = 2048
    max_3d_texels: int = 2048
    max_buffer_texels: int = 1 << 27
    max_loop_turns: int = 64_000
    max_total_bytes: int | None = None
    version: int = 330
    is_software: bool = False
    work_groups: WorkGroups | None = None
    extensions: frozenset[str] = frozenset()
    shaders: ShaderVersions = ShaderVersions()
    workspace_bytes: int | None = None

"""A fused run holds on the GPU what was computed beforehand, and what it leaves out is made when somebody asks."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import moderngl
import numpy as np
import onnx
import pytest

from tests.pure.models import array, model, node, value
from texelscope import pipeline
from texelscope.pipeline.debug_session import DebugSession
from texelscope.pipeline.gl.dispatching.buffer_textures import BufferTexture
from texelscope.pipeline.lowerings import winograd
from texelscope.pipeline.lowerings.fusion import buffer_reuse as sharing_module

# Bytes of the texel that brings the driver's samplers into one state.
SLOTS = 16


def shrinking() -> onnx.ModelProto:
    """Convolutions and pools in turns, each tensor smaller than the one before, so that none takes another's place."""
    nodes, before, channels, weights = [], "x", 8, {}
    for i, (size, more) in enumerate(((32, 64), (16, 96), (8, 128), (4, 8)), 1):
        weights[f"w{i}"] = 0.1 * array(more, channels, 3, 3)
        nodes.append(node("Conv", f"{before} w{i}", f"c{i}", pads=[1, 1, 1, 1]))
        nodes.append(node("MaxPool", f"c{i}", f"p{i}" if size > 4 else "y", kernel_shape=[2, 2], strides=[2, 2]))
        before, channels = f"p{i}", more
    return model(nodes, [value("x", (1, 8, 32, 32))], [value("y", (1, 8, 2, 2))], weights=weights)


class Allocations:
    """Bytes of the textures and scratch buffers that were made and not released, the most at once; framebuffers."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.now = self.most = 0
        make, release = moderngl.Context.texture, moderngl.Texture.release

        def made(context: moderngl.Context, *args: Any, **options: Any) -> moderngl.Texture:
            texture = make(context, *args, **options)
            self.now += size(texture)
            self.most = max(self.most, self.now)
            return texture

        def released(texture: moderngl.Texture) -> None:
            self.now -= size(texture)
            release(texture)

        scratch, buffer, unbuffer = dict[int, int](), moderngl.Context.buffer, moderngl.Buffer.release
        packs, pack = list[bool](), BufferTexture.holding

        def packed(*args: Any) -> BufferTexture:
            packs.append(True)
            made = pack(*args)
            packs.pop()
            return made

        def buffered(context: moderngl.Context, *args: Any, **options: Any) -> moderngl.Buffer:
            made = buffer(context, *args, **options)
            if "reserve" in options and not packs:  # what holds weights is filled as it is made
                scratch[made.glo] = made.size
                self.now += made.size
                self.most = max(self.most, self.now)
            return made

        def unbuffered(made: moderngl.Buffer) -> None:
            self.now -= scratch.pop(made.glo, 0)
            unbuffer(made)

        monkeypatch.setattr(moderngl.Context, "buffer", buffered)
        monkeypatch.setattr(BufferTexture, "holding", packed)
        monkeypatch.setattr(moderngl.Buffer, "release", unbuffered)
        self.framebuffers = set[int]()  # of those that draw into textures
        frame, unframe = moderngl.Context.framebuffer, moderngl.Framebuffer.release

        def framed(context: moderngl.Context, *args: Any, **options: Any) -> moderngl.Framebuffer:
            framebuffer = frame(context, *args, **options)
            self.framebuffers.add(framebuffer.glo)
            return framebuffer

        def unframed(framebuffer: moderngl.Framebuffer) -> None:
            self.framebuffers.discard(framebuffer.glo)
            unframe(framebuffer)

        monkeypatch.setattr(moderngl.Context, "framebuffer", framed)
        monkeypatch.setattr(moderngl.Framebuffer, "release", unframed)
        monkeypatch.setattr(moderngl.Context, "texture", made)
        monkeypatch.setattr(moderngl.Texture, "release", released)


def size(texture: moderngl.Texture) -> int:
    return texture.width * texture.height * texture.components * int(texture.dtype[1])


@pytest.fixture
def session(gl: moderngl.Context, monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[DebugSession, Allocations]]:
    allocations = Allocations(monkeypatch)
    with pipeline.open(shrinking(), backend="fragment", context=gl) as opened:
        opened.set_input("x", array(1, 8, 32, 32))
        yield opened, allocations


def test_a_fused_run_holds_no_more_than_was_computed(session: tuple[DebugSession, Allocations]) -> None:
    opened, allocations = session
    sharing = opened.sharing()
    assert sharing.held.ratio <= 1.3
    assert any(sharing.freed)
    for settle in (False, False, True):
        opened.run_fused(settle=settle)
    assert allocations.most == sharing.held.bytes + SLOTS
    held = opened.held()
    assert held.tensors + held.scratch + SLOTS == allocations.now
    opened.run()
    assert opened.held().tensors > sharing.held.bytes


def test_what_work_groups_leave_to_each_other_is_counted_and_freed_with_the_rest(
    gl: moderngl.Context, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sharing_module, "MOST_OF_ALIVE", 1.6)  # so small a model has more for its parts
    allocations = Allocations(monkeypatch)
    with pipeline.open(shrinking(), backend="compute", context=gl) as opened:
        opened.set_input("x", array(1, 8, 32, 32))
        found = opened.sharing()
        (parts,) = found.buffers
        assert parts in {room for rooms in found.freed for room in rooms}
        for _ in range(3):
            opened.run_fused()
        assert allocations.most == found.held.bytes
        output = opened.tensor("y")
        opened.run()
        np.testing.assert_array_equal(output, opened.tensor("y"))


def test_what_shares_textures_is_bit_by_bit_what_has_its_own(
    session: tuple[DebugSession, Allocations], monkeypatch: pytest.MonkeyPatch
) -> None:
    # Whoever keeps every tensor has no such products.
    monkeypatch.setattr(winograd, "is_faster", lambda tiles, how: False)
    opened, _ = session
    keys = [key for each in opened.plan.passes for key in each.outputs]
    for _ in range(2):
        opened.run_fused()
    output = opened.tensor("y")
    assert not opened.is_valid("c1")
    made = {key: opened.tensor(key) for key in reversed(keys)}
    opened.run_fused(keep=keys)
    for key in keys:
        np.testing.assert_array_equal(made[key], opened.tensor(key))
    np.testing.assert_array_equal(output, opened.tensor("y"))


def test_what_was_freed_is_gone_and_its_number_grows(session: tuple[DebugSession, Allocations]) -> None:
    opened, _ = session
    opened.run_fused()
    sharing = opened.sharing()
    freed = {room for rooms in sharing.freed for room in rooms}
    gone = {key: opened.generation(key) for key, share in sharing.textures.items() if share in freed}
    assert "c1" in gone
    assert not any(map(opened.is_valid, gone))
    opened.run_fused()
    assert all(opened.generation(key) > number for key, number in gone.items())


def test_a_framebuffer_that_would_keep_the_memory_goes_with_its_texture(
    session: tuple[DebugSession, Allocations], monkeypatch: pytest.MonkeyPatch
) -> None:
    # Their buffers leave room for fewer textures.
    monkeypatch.setattr(winograd, "is_faster", lambda tiles, how: True)
    opened, allocations = session
    opened.run_fused()
    between = len(allocations.framebuffers)
    assert 0 < between < 4  # of the four pools
    for _ in range(3):
        opened.run_fused()
    assert len(allocations.framebuffers) == between


def test_a_value_put_in_does_not_end_up_in_what_others_share(session: tuple[DebugSession, Allocations]) -> None:
    opened, _ = session
    opened.run_fused()
    output = opened.tensor("y")
    opened.inject("c2", np.zeros((1, 96, 16, 16), dtype=np.float32))
    assert not opened.tensor("c2").any()
    opened.run_fused()
    np.testing.assert_array_equal(opened.tensor("y"), output)

"""Textures held on the GPU or in memory, and every bit that may change in what they are held against."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import moderngl
import numpy as np
import pytest

from tests.gl.incremental_compare.counted_reads import Reads
from tests.pure.models import array, model, node, value
from texelscope import pipeline
from texelscope.pipeline.gl.context import limits_of
from texelscope.pipeline.gl.session import Session
from texelscope.pipeline.glsl.assemble import read_shader
from texelscope.pipeline.incremental_compare import held as held_module
from texelscope.pipeline.incremental_compare import in_textures
from texelscope.pipeline.incremental_compare.copies import Copies, CopiesInMemory
from texelscope.pipeline.incremental_compare.held import HeldTensors
from texelscope.pipeline.incremental_compare.in_textures import CopiesInTextures
from texelscope.pipeline.plan import Storage
from texelscope.pipeline.planning.memory import texture_bytes
from texelscope.pipeline.planning.storage import DTYPES

SHAPE = (1, 5, 3, 7)
X = np.abs(array(*SHAPE)) + np.float32(0.5)
KEYS = ("x", "a", "y")

Make = Callable[[Session], Copies]


def in_memory(session: Session) -> Copies:
    return CopiesInMemory(session.context)


BOTH = pytest.mark.parametrize("make", [CopiesInTextures, in_memory])


def opened(gl: moderngl.Context, layout: str, storage: Storage = "float32") -> Session:
    made = model([node("Relu", "x", "a"), node("Neg", "a", "y")], [value("x", SHAPE)], [value("y", SHAPE)])
    session = pipeline.open(made, layout=layout, precision=storage, context=gl)
    session.set_input("x", X)
    session.run()
    return session


@pytest.fixture
def session(gl: moderngl.Context) -> Iterator[Session]:
    with opened(gl, "channel_tiles_rgba") as made:
        yield made


@pytest.fixture(params=[CopiesInTextures, in_memory])
def held(session: Session, request: pytest.FixtureRequest) -> Iterator[HeldTensors]:
    made = HeldTensors(session, request.param(session))
    assert made.hold(KEYS) == set(KEYS)
    yield made
    made.release()


def put(session: Session, key: str, place: tuple[int, int, int], bits: int) -> None:
    """Writes the bits of a float32 into one lane (ty, tx, lane) of a texture."""
    texture = session.texture(key)
    ty, tx, lane = place
    lanes = texture.components
    texel = np.frombuffer(texture.read(alignment=1), np.uint32).reshape(texture.height, texture.width, lanes)[ty, tx]
    texel = texel.copy()
    texel[lane] = bits
    texture.write(texel.tobytes(), viewport=(tx, ty, 1, 1), alignment=1)


@BOTH
@pytest.mark.parametrize(
    ("layout", "storage"),
    [
        ("channel_tiles", "float32"),
        ("channel_tiles_rgba", "float32"),
        ("tfjs_packed", "float32"),
        ("channel_tiles_rgba", "float16"),
        ("channel_tiles", "uint8"),
    ],
)
def test_a_change_of_any_lane_of_any_texel_is_seen(
    gl: moderngl.Context, layout: str, storage: Storage, make: Make
) -> None:
    with opened(gl, layout, storage) as session:
        held = HeldTensors(session, make(session))
        held.hold(KEYS)
        assert held.same(KEYS) == set(KEYS)
        texture = session.texture("a")
        kind = np.dtype(DTYPES[storage])
        was = np.frombuffer(texture.read(alignment=1), kind).reshape(texture.height, texture.width, -1)
        for place in np.ndindex(was.shape):
            changed = was.copy()
            as_bits = changed.view(f"u{kind.itemsize}")
            as_bits[place] ^= 1
            texture.write(changed.tobytes(), alignment=1)
            assert held.same(KEYS) == {"x", "y"}, place
        texture.write(was.tobytes(), alignment=1)
        assert held.same(KEYS) == set(KEYS)
        held.release()


@BOTH
def test_a_change_anywhere_in_a_large_texture_is_seen(gl: moderngl.Context, make: Make) -> None:
    shape = (1, 3, 130, 71)
    made = model([node("Relu", "x", "y")], [value("x", shape)], [value("y", shape)])
    with pipeline.open(made, layout="channel_tiles", context=gl) as session:
        session.set_input("x", array(*shape))
        session.run()
        held = HeldTensors(session, make(session))
        held.hold(["y"])
        texture = session.texture("y")
        was = texture.read(alignment=1)
        random = np.random.default_rng(0)
        corners = [(0, 0), (texture.height - 1, texture.width - 1), (0, texture.width - 1), (texture.height - 1, 0)]
        inside = [(int(random.integers(texture.height)), int(random.integers(texture.width))) for _ in range(60)]
        for ty, tx in corners + inside:
            texture.write(np.float32(1e9).tobytes(), viewport=(tx, ty, 1, 1), alignment=1)
            assert held.same(["y"]) == set(), (ty, tx)
            texture.write(was, alignment=1)
        assert held.same(["y"]) == {"y"}
        held.release()


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (0x3F800000, 0x7FC00000),  # a number that becomes NaN
        (0x7FC00001, 0x7FC00002),  # one NaN and another
        (0x7F800000, 0xFF800000),  # infinity and minus infinity
        (0x00000000, 0x80000000),  # zero and minus zero
        (0x00000000, 0x00000001),  # zero and the least number
    ],
)
def test_what_arithmetic_takes_for_equal_or_unordered_is_told_apart(
    session: Session, held: HeldTensors, before: int, after: int
) -> None:
    place = (1, 2, 0)
    put(session, "a", place, before)
    held.hold(["a"])
    assert held.same(KEYS) == set(KEYS), "NaN is what it was"
    put(session, "a", place, after)
    assert held.same(KEYS) == {"x", "y"}
    put(session, "a", place, before)
    assert held.same(KEYS) == set(KEYS)


def test_one_small_read_answers_for_all(session: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    held = HeldTensors(session, CopiesInTextures(session))
    held.hold(KEYS)
    reads = Reads(monkeypatch)
    assert held.same(KEYS) == set(KEYS)
    assert len(reads.bytes) == 1
    assert reads.bytes[0] <= 1024
    assert held.same(()) == set()
    assert len(reads.bytes) == 1
    held.release()


def test_a_driver_that_computes_in_memory_holds_tensors_there(
    session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[str] = []
    monkeypatch.setattr(session, "scratch_like", made.append)
    held = HeldTensors(session)
    assert limits_of(session.context).is_software
    assert held.hold(KEYS) == held.same(KEYS) == set(KEYS)
    assert made == [], "no further textures"
    held.release()


def test_what_was_not_held_counts_as_changed(session: Session) -> None:
    held = HeldTensors(session)
    held.hold(["a"])
    assert held.same(KEYS) == {"a"}
    held.release()
    assert held.same(KEYS) == set()


def test_nothing_is_the_same_where_a_shader_does_not_see_every_bit(
    session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    def blind_to_tiny_numbers(name: str) -> str:
        flush = "uvec4 bits_of(vec4 v) { return floatBitsToUint(v + 0.0) * uvec4(greaterThan(abs(v), vec4(1e-37))); }\n"
        text = read_shader(name).replace("floatBitsToUint", "bits_of")
        return text.replace("void main", flush + "void main") if "differs" in name else text

    monkeypatch.setattr(in_textures, "read_shader", blind_to_tiny_numbers)
    held = HeldTensors(session, CopiesInTextures(session))
    assert held.hold(KEYS) == set()
    assert held.same(KEYS) == set()
    held.release()


def test_nothing_is_held_where_the_driver_refuses_the_shader(session: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(in_textures, "read_shader", lambda _: "#version 330 core\nvoid main() { nothing }")
    held = HeldTensors(session, CopiesInTextures(session))
    assert held.hold(KEYS) == set()
    assert held.same(KEYS) == set()
    held.release()


def test_what_the_driver_has_no_memory_for_is_not_held(session: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = session.scratch_like

    def full(key: str) -> moderngl.Texture:
        if key == "y":
            raise moderngl.Error("out of memory")
        return whole(key)

    monkeypatch.setattr(session, "scratch_like", full)
    held = HeldTensors(session, CopiesInTextures(session))
    assert held.hold(KEYS) == {"x", "a"}
    assert held.same(KEYS) == {"x", "a"}
    held.release()


def test_what_memory_is_too_short_for_is_not_held(session: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    texels = session.plan.textures["x"].texture_shape
    monkeypatch.setattr(held_module, "available_memory", lambda: 2 * 2 * (texels[0] * texels[1] * 16))
    held = HeldTensors(session)
    assert held.hold(KEYS) == {"x", "a"}
    assert held.same(KEYS) == {"x", "a"}
    held.release()


def test_the_interface_finds_gl_as_it_left_it(session: Session, held: HeldTensors) -> None:
    previous = session.context.fbo
    target = session.context.framebuffer([session.context.texture((5, 4), 4)])
    target.use()
    held.same(KEYS)
    held.hold(KEYS)
    assert session.context.fbo is target
    assert session.context.viewport == (0, 0, 5, 4)
    previous.use()
    target.color_attachments[0].release()
    target.release()


def test_what_is_compared_at_once_is_limited_and_nothing_is_left_out(session: Session) -> None:
    copies = CopiesInMemory(session.context)
    held = HeldTensors(session, copies)
    assert [*held.groups(KEYS)] == [[*KEYS]]
    copies.bytes_at_once = texture_bytes(session.plan.textures["x"]) + 1
    assert [*held.groups(KEYS)] == [["x", "a"], ["y"]]
    copies.bytes_at_once = 1
    assert [*held.groups(KEYS)] == [[key] for key in KEYS]
    assert [*held.groups(())] == []

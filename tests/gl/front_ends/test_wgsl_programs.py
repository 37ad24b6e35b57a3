"""Translated texts in WGSL give what the same texts give untranslated, on random expressions and statements."""

from __future__ import annotations

import moderngl
import numpy as np
import pytest
from numpy.typing import NDArray

from tests.wgsl_programs import ELEMENTS, ProgramWriter, inputs
from texelscope.pipeline.front_ends.request import TranslationRequest
from texelscope.pipeline.front_ends.wgsl import translated
from texelscope.pipeline.glsl.reserved_words import safe_name
from texelscope.pipeline.native.call import NativeBuffer, NativeCall
from texelscope.pipeline.native.webgpu import run_apart

RESULTS, PROGRAMS = 20, 10
TYPES = {"a": "int32", "b": "uint32", "c": "float32"}


@pytest.fixture(scope="module")
def programs() -> list[str]:
    return [ProgramWriter(seed).program(RESULTS) for seed in range(PROGRAMS)]


def _data() -> dict[str, bytes]:
    return {name: np.array(values, dtype=TYPES[name]).tobytes() for name, values in inputs().items()}


def _here(text: str, gl: moderngl.Context) -> NDArray[np.uint32]:
    shader = gl.compute_shader(translated(TranslationRequest(f"#line 1 0\n{text}", "compute")))
    held = {**_data(), "out": bytes(ELEMENTS * RESULTS * 4)}
    buffers = {name: gl.buffer(data) for name, data in held.items()}
    for number, (name, buffer) in enumerate(buffers.items()):
        block = shader.get(safe_name(name), None)
        if isinstance(block, moderngl.StorageBlock):
            block.binding = number
            buffer.bind_to_storage_buffer(number)
    shader.run(1)
    gl.memory_barrier()
    gl.finish()
    found = np.frombuffer(buffers["out"].read(), dtype=np.uint32).reshape(ELEMENTS, RESULTS)
    for buffer in buffers.values():
        buffer.release()
    shader.release()
    return found


def test_two_hundred_expressions_and_statements_give_the_same_untranslated(
    programs: list[str], gl: moderngl.Context
) -> None:
    wanted = [(number, name, data) for number, (name, data) in enumerate(_data().items())]
    calls = [
        NativeCall(
            text, "main", (), (1, 1, 1),
            (
                *(NativeBuffer(0, number, "read-only-storage", data) for number, _, data in wanted),
                NativeBuffer(0, 3, "storage", bytes(ELEMENTS * RESULTS * 4), is_wanted=True),
            ),
        )
        for text in programs
    ]  # fmt: skip
    run = run_apart(calls)
    wrong = []
    for text, result in zip(programs, run.results, strict=True):
        assert not result.error, f"{result.error}\n{text}"
        there = np.frombuffer(result.data[0], dtype=np.uint32).reshape(ELEMENTS, RESULTS)
        here = _here(text, gl)
        for number in np.flatnonzero((here != there).any(axis=0)):
            at = int(np.flatnonzero(here[:, number] != there[:, number])[0])
            lines = text.split(f"out[i * {RESULTS}u + {number}u]")[0].rpartition("] = ")[2].split("\n", 1)[-1]
            wrong.append(f"i = {at}: {here[at, number]:#x} here, {there[at, number]:#x} natively\n{lines}")
    assert not wrong, f"{len(wrong)} of {RESULTS * PROGRAMS}\n" + "\n".join(wrong)

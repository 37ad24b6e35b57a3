"""Holds the verdict of every pass of a recorded operation against TensorFlow.js's own CPU backend."""

from __future__ import annotations

import base64
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tests.browser.chromium import Chromium
from texelscope import pipeline
from texelscope.pipeline.dialects.recordings.files import files_of
from texelscope.pipeline.dialects.tfjs.recording.kinds import MANIFEST
from texelscope.pipeline.dialects.tfjs.recording.manifest import Program, TfjsRecording, read_manifest
from texelscope.pipeline.dialects.tfjs.recording.tensors import held_textures, values_in

Array = NDArray[np.float64]
# A WebGL value may be off from the CPU's by this share of the largest: sums in other orders, approximate functions.
OFF, OFF_HALF = 2e-3, 3e-2
RIGHT = frozenset({"match", "precision"})


@dataclass(frozen=True)
class JudgedPass:
    """A pass with what the CPU backend says of it.

    `cpu_is_right` is None where it says nothing: of a step within a kernel whose result is wrong, or of a kernel that
    only WebGL has. `meaning` says whether a meaning was its oracle.
    """

    name: str
    kernel: str
    program: str
    verdict: str
    message: str
    cpu_is_right: bool | None
    is_of_meaning: bool

    @property
    def agrees(self) -> bool:
        """Whether the verdict says what the CPU backend says; a pass that is not compared claims nothing."""
        if self.cpu_is_right is None or self.verdict == "not_compared":
            return True
        return (self.verdict in RIGHT) == self.cpu_is_right


def operations(chromium: Chromium, page: Path) -> list[str]:
    """Returns the names of the operations that a page has."""
    chromium.open(page)
    return [str(each) for each in chromium.evaluate("Object.keys(OPERATIONS)")]


def judged(
    chromium: Chromium, page: Path, folder: Path, operation: str, flags: Mapping[str, object]
) -> list[JudgedPass]:
    """Records an operation in the page and compares it here; returns nothing of an operation that draws nothing.

    Raises BrowserError if the page cannot run it.
    """
    chromium.open(page)
    answer = json.loads(chromium.evaluate(f"operationRecorded({json.dumps(operation)}, {json.dumps(dict(flags))})"))
    if not answer["programs"]:
        return []
    archive = folder / f"{operation}.tfjs.zip"
    archive.write_bytes(base64.b64decode(answer["archive"]))
    files = files_of(archive, MANIFEST)
    manifest: TfjsRecording = read_manifest(files)
    held = held_textures(manifest)
    most = OFF_HALF if any(each.storage == "float16" for each in manifest.textures.values()) else OFF
    says = _cpu_of_programs(
        manifest.programs,
        [values_in(files, held[each.output]).astype(np.float64).reshape(-1) for each in manifest.programs],
        answer["calls"],
        most,
    )
    with pipeline.open(archive) as session:
        session.run()
        report = session.compare()
        found = []
        for each, program, cpu in zip(session.plan.passes, manifest.programs, says, strict=True):
            of_pass = report.find(each.name)
            assert of_pass is not None
            found.append(
                JudgedPass(
                    each.name, program.kernel, program.name, of_pass.verdict, of_pass.message, cpu,
                    each.oracle == "meaning",
                )
            )  # fmt: skip
    return found


def _cpu_of_programs(
    programs: Sequence[Program], results: Sequence[Array], calls: Sequence[Mapping[str, Any]], most: float
) -> list[bool | None]:
    """Returns what the CPU backend says of each program: by the call that it belongs to, in order.

    The last programs of a call write its outputs, which are found by their numbers. Earlier ones are steps: right, if
    what is made of them is.
    """
    says: list[bool | None] = [None] * len(programs)
    start = 0
    for call in calls:
        pages = [_numbers(each) for each in call["page"]]
        writers = [
            number
            for number in range(start, len(programs))
            if programs[number].kernel == call["kernel"] and any(_same(results[number], page) for page in pages)
        ]
        if not writers or call["cpu"] is None:
            continue
        end = writers[min(len(pages), len(writers)) - 1]
        is_right = all(_near(page, _numbers(cpu), most) for page, cpu in zip(pages, call["cpu"], strict=True))
        for number in range(start, end + 1):
            says[number] = True if is_right else (False if number in writers else None)
        start = end + 1
    return says


def _numbers(values: Sequence[float | str]) -> Array:
    return np.array([float(each) for each in values], dtype=np.float64)


def _same(one: Array, other: Array) -> bool:
    return one.shape == other.shape and np.array_equal(np.sort(one), np.sort(other), equal_nan=True)


def _near(one: Array, other: Array, most: float) -> bool:
    if one.shape != other.shape or not np.array_equal(np.isnan(one), np.isnan(other)):
        return False
    finite = np.isfinite(one) & np.isfinite(other)
    if not np.array_equal(one[~finite], other[~finite], equal_nan=True):
        return False
    largest = float(np.abs(other[finite]).max(initial=0.0))
    return bool((np.abs(one[finite] - other[finite]) <= most * max(largest, 1e-30)).all())

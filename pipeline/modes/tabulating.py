"""Runs a target in every mode and pack, and measures each error relative to the mode's bound."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING

import numpy as np

from texelscope.pipeline.compare.comparer import Comparer
from texelscope.pipeline.compare.figures import measure, rounding, stored_rounding
from texelscope.pipeline.compare.report import Report
from texelscope.pipeline.dialects.ncnn.layers.opening import packs_of
from texelscope.pipeline.errors import TexelscopeError
from texelscope.pipeline.gl.context import headless_context
from texelscope.pipeline.glsl.ncnn.modes import MODES
from texelscope.pipeline.modes.table import ModeResult, ModeTable
from texelscope.pipeline.opening import open_session, set_inputs
from texelscope.pipeline.oracle.expected import Expected
from texelscope.pipeline.target import Target

if TYPE_CHECKING:
    import moderngl

    from texelscope.pipeline.compare.capture import Capture
    from texelscope.pipeline.plan import Plan

Said = Mapping[str, str]


def tabulate(target: Target, say: Callable[[str], None] = lambda line: None) -> ModeTable:
    """Runs a .comp file of ncnn and returns the table. Raises TexelscopeError for a target without modes."""
    path = Path(target.path)
    if path.suffix.lower() != ".comp":
        raise TexelscopeError(path.name, "a shader of ncnn's (.comp)", f"'{path.suffix}'", "Others have one mode.")
    said = {name: value for name, value in target.options.dialect.items() if name not in ("mode", "pack")}
    packs = packs_of(path) or (1,)
    context = headless_context()
    try:
        cells = tuple(_cells(target, said, packs, context, say))
        return ModeTable(path.name, str(context.info["GL_RENDERER"]), cells)
    finally:
        context.release()


def _cells(
    target: Target, said: Said, packs: tuple[int, ...], context: moderngl.Context, say: Callable[[str], None]
) -> Iterator[ModeResult]:
    for mode in MODES:
        for pack in packs:
            say(f"{mode.name}, pack {pack}")
            wanted = MappingProxyType({**said, "mode": mode.name, "pack": str(pack)})
            options = dataclasses.replace(target.options, dialect=wanted)
            try:
                yield _cell(dataclasses.replace(target, options=options), mode.name, pack, context)
            except TexelscopeError as error:
                yield ModeResult(mode.name, pack, "not_run", reason=str(error))


def _cell(target: Target, mode: str, pack: int, context: moderngl.Context) -> ModeResult:
    with open_session(target.path, target.options, context) as session:
        set_inputs(session, target)
        session.run()
        session.finish()
        comparer, capture = Comparer(session.plan), session.capture()
        report = comparer.compare(capture)
        ratios = _ratios(session.plan, report, capture, comparer.isolated_values())
        if not ratios:
            reason = next((each.message for each in report.passes if each.message), "")
            return ModeResult(mode, pack, report.verdict, reason=reason)
        worst = max(ratios, key=lambda name: ratios[name])
        return ModeResult(mode, pack, report.verdict, ratios[worst], worst)


def _ratios(plan: Plan, report: Report, capture: Capture, expected: Mapping[str, Expected]) -> dict[str, float]:
    """Returns by pass the largest |error| over the bound of the storage in use, on its own inputs."""
    found = {}
    for each in report.passes:
        key = plan.pass_called(each.name).output
        if each.name in plan.tolerances and each.isolated is not None:
            found[each.name] = each.isolated.bound_ratio
        elif key in expected and key in capture.tensors:
            value, storage = expected[key], plan.textures[key].storage
            bound = rounding(value) + (stored_rounding(value, storage) if storage != "float32" else 0.0)
            found[each.name] = measure(capture.tensors[key], Expected(value.value, np.asarray(bound))).bound_ratio
    return found

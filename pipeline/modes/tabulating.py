"""Runs a target in every mode and pack, and says of each how far it is off over what that mode may be."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING

import numpy as np

from pipeline.compare.comparer import Comparer, stored_rounding
from pipeline.compare.figures import measure, rounding
from pipeline.compare.report import UNBLAMED, Report
from pipeline.dialects.ncnn.layers.opening import packs_of
from pipeline.dialects.ncnn.modes import MODES
from pipeline.errors import TexelscopeError
from pipeline.gl.context import headless_context
from pipeline.opening import open_session, set_inputs
from pipeline.oracle.expected import Expected
from pipeline.target import Target

if TYPE_CHECKING:
    import moderngl

    from pipeline.compare.capture import Capture
    from pipeline.plan import Plan

Said = Mapping[str, str]


@dataclass(frozen=True)
class Cell:
    """One mode with one pack. `ratio` is the largest |error| over the bound of the mode's own storage, `worst` the pass
    that has it; None where nothing ran, which `reason` then explains."""

    mode: str
    pack: int
    verdict: str
    ratio: float | None = None
    worst: str = ""
    reason: str = ""

    @property
    def is_wrong(self) -> bool:
        """Whether it ran and a pass is beyond what the mode rounds."""
        return self.ratio is not None and self.verdict not in UNBLAMED


@dataclass(frozen=True)
class ModeTable:
    """All cells, packs first within a mode."""

    target: str
    renderer: str
    cells: tuple[Cell, ...]

    @property
    def modes(self) -> tuple[str, ...]:
        """Modes in order."""
        return tuple(dict.fromkeys(cell.mode for cell in self.cells))

    @property
    def packs(self) -> tuple[int, ...]:
        """Packs in order."""
        return tuple(dict.fromkeys(cell.pack for cell in self.cells))

    def at(self, mode: str, pack: int) -> Cell | None:
        """The cell of a mode and a pack."""
        return next((cell for cell in self.cells if (cell.mode, cell.pack) == (mode, pack)), None)

    @property
    def conclusion(self) -> str:
        """Where it is wrong, in one line."""
        wrong = [cell for cell in self.cells if cell.is_wrong]
        ran = [cell for cell in self.cells if cell.ratio is not None]
        if not ran:
            return "Nothing ran."
        if not wrong:
            return f"Right in each of the {len(ran)} that ran."
        modes, packs = (sorted({getattr(cell, name) for cell in wrong}) for name in ("mode", "pack"))
        if len(wrong) == len(ran):
            return "Wrong in each that ran."
        if len(wrong) == 1:
            return f"Only wrong in {wrong[0].mode} with pack {wrong[0].pack}."
        whole = [cell for cell in ran if cell.pack in packs and cell.mode in modes]
        if len(whole) == len(wrong):
            in_modes = "" if len(modes) == len({cell.mode for cell in ran}) else f" in {_listed(modes)}"
            with_packs = "" if len(packs) == len({cell.pack for cell in ran}) else f" with pack {_listed(packs)}"
            return f"Only wrong{in_modes}{with_packs}."
        return f"Wrong in {len(wrong)} of the {len(ran)} that ran."


def tabulate(target: Target, say: Callable[[str], None] = lambda line: None) -> ModeTable:
    """The table of a .comp file of ncnn's. Raises TexelscopeError for a target that has no modes."""
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
) -> Iterator[Cell]:
    for mode in MODES:
        for pack in packs:
            say(f"{mode.name}, pack {pack}")
            wanted = MappingProxyType({**said, "mode": mode.name, "pack": str(pack)})
            options = dataclasses.replace(target.options, dialect=wanted)
            try:
                yield _cell(dataclasses.replace(target, options=options), mode.name, pack, context)
            except TexelscopeError as error:
                yield Cell(mode.name, pack, "not_run", reason=str(error))


def _cell(target: Target, mode: str, pack: int, context: moderngl.Context) -> Cell:
    with open_session(target.path, target.options, context) as session:
        set_inputs(session, target)
        session.run()
        session.finish()
        comparer, capture = Comparer(session.plan), session.capture()
        report = comparer.compare(capture)
        ratios = _ratios(session.plan, report, capture, comparer.isolated_values())
        if not ratios:
            reason = next((each.message for each in report.passes if each.message), "")
            return Cell(mode, pack, report.verdict, reason=reason)
        worst = max(ratios, key=lambda name: ratios[name])
        return Cell(mode, pack, report.verdict, ratios[worst], worst)


def _ratios(plan: Plan, report: Report, capture: Capture, expected: Mapping[str, Expected]) -> dict[str, float]:
    """By pass, the largest |error| over the bound of the storage in use, its own inputs taken as given."""
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


def _listed(values: list[str] | list[int]) -> str:
    return " and ".join(map(str, values)) if len(values) < 3 else f"{', '.join(map(str, values[:-1]))} and {values[-1]}"

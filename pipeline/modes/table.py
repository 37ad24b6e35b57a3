"""What came of a shader in every mode and pack, as data, and where it is wrong in one line."""

from __future__ import annotations

from dataclasses import dataclass

from texelscope.pipeline.compare.report import UNBLAMED


@dataclass(frozen=True)
class ModeResult:
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
    cells: tuple[ModeResult, ...]

    @property
    def modes(self) -> tuple[str, ...]:
        """Modes in order."""
        return tuple(dict.fromkeys(cell.mode for cell in self.cells))

    @property
    def packs(self) -> tuple[int, ...]:
        """Packs in order."""
        return tuple(dict.fromkeys(cell.pack for cell in self.cells))

    def at(self, mode: str, pack: int) -> ModeResult | None:
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


def _listed(values: list[str] | list[int]) -> str:
    return " and ".join(map(str, values)) if len(values) < 3 else f"{', '.join(map(str, values[:-1]))} and {values[-1]}"

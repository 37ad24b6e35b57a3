"""How many processor seconds each test module takes, kept in a file that `python -m tests.near --measure` writes."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from pathlib import Path
from statistics import fmean

KEPT = Path(__file__).with_name("seconds.txt")
# For a module that was never measured, in a folder of which none was.
UNKNOWN_SECONDS = 5.0


def load(kept: Path = KEPT) -> dict[str, float]:
    """Seconds by test module; empty where nothing is kept."""
    if not kept.is_file():
        return {}
    rows = (line.split(maxsplit=1) for line in kept.read_text(encoding="utf-8").splitlines())
    return {file: float(seconds) for seconds, file in rows}


def save(seconds: Mapping[str, float], kept: Path = KEPT) -> None:
    """Writes a line for each module, in tenths, so that small differences change nothing."""
    lines = (f"{max(value, 0.1):.1f} {file}\n" for file, value in sorted(seconds.items()))
    kept.write_text("".join(lines), encoding="utf-8")


def estimates(modules: Iterable[str], known: Mapping[str, float]) -> dict[str, float]:
    """Seconds of each module: as kept, or the mean of its folder, or of the folder above, and so on."""
    by_folder: dict[str, list[float]] = defaultdict(list)
    for file, seconds in known.items():
        for folder in _folders(file):
            by_folder[folder].append(seconds)
    return {
        file: known.get(file)
        or next((fmean(by_folder[folder]) for folder in _folders(file) if folder in by_folder), UNKNOWN_SECONDS)
        for file in modules
    }


def by_module(tests: Mapping[str, float]) -> dict[str, float]:
    """Sums by module of seconds by test."""
    sums: dict[str, float] = defaultdict(float)
    for test, seconds in tests.items():
        sums[test.partition("::")[0]] += seconds
    return dict(sums)


def _folders(file: str) -> list[str]:
    return [str(folder) for folder in Path(file).parents[:-1]]

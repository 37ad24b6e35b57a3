"""Hashes of what is made of a shader, part by part, and the file that keeps them."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

from tests.parsed_shaders import internals
from tests.parsed_shaders.shader import Shader, digest

PARTS: Mapping[str, Callable[[Shader], Iterator[str]]] = MappingProxyType(
    {
        "mutants": internals.mutants_of,
        "slips": internals.slips_of,
        "meanings": internals.meanings_of,
        "reads": internals.read_trace_of,
        "steps": internals.step_trace_of,
        "declared": internals.declarations_of,
        "refusals": internals.refusals_of,
    }
)
# Parts that take most of the time; slips are made of single mutants, and kept of one shader in so many.
_LONG, _SLIPS, _OF_SLIPS = frozenset({"mutants", "slips", "meanings"}), "slips", 8
# Of a file that becomes passes only what it declares is hashed.
_OF_FILES = frozenset({"mpv", "ncnn"})
# Stands for the hash of a part without lines, and of one that was left out.
NOTHING, LEFT_OUT = "-", "."
KEPT = Path(__file__).with_name("hashes.txt")


@dataclass(frozen=True)
class Hashes:
    """The hashes of one shader by part, with the key of the shader itself."""

    name: str
    key: str
    parts: Mapping[str, str]

    def beside(self, kept: Hashes | None) -> Hashes:
        """With the hashes that are kept of parts left out here, if they are of the same shader."""
        if kept is None or kept.key != self.key:
            return self
        parts = {part: kept.parts[part] if value == LEFT_OUT else value for part, value in self.parts.items()}
        return Hashes(self.name, self.key, parts)


def lines_of(shader: Shader, part: str) -> list[str]:
    """The canonical text of one part; an error is its last line."""
    found: list[str] = []
    if shader.stage in _OF_FILES and part != "declared":
        return found
    try:
        found.extend(PARTS[part](shader))
    except Exception as error:  # noqa: BLE001 - an error is a result, as kept as any other
        found.append(internals.refused(error))
    return found


def hashes_of(shader: Shader, parts: Collection[str]) -> Hashes:
    """The hashes of a shader, of some parts."""
    made = {part: lines_of(shader, part) if part in parts else None for part in PARTS}
    hashed = {part: LEFT_OUT if lines is None else digest(lines) if lines else NOTHING for part, lines in made.items()}
    return Hashes(shader.name, shader.key, hashed)


def hashed(work: tuple[Shader, Collection[str]]) -> Hashes:
    """`hashes_of` for other processes, which are handed one argument."""
    return hashes_of(*work)


def parts_kept(shader: Shader, share: int) -> frozenset[str]:
    """The parts whose hashes are kept: of variants of one shader those that take long for one in `share` of them."""
    number = int(shader.key[:8], 16)
    parts = frozenset(PARTS)
    if shader.is_variant and number % share:
        return parts - _LONG
    return parts if number % _OF_SLIPS == 0 else parts - {_SLIPS}


def read_hashes(path: Path = KEPT) -> dict[str, Hashes]:
    """What is kept, by name."""
    found: dict[str, Hashes] = {}
    for line in path.read_text(encoding="utf-8").splitlines() if path.exists() else ():
        if not line.startswith("#"):
            *hashed, key, name = line.split(" ", len(PARTS) + 1)
            found[name] = Hashes(name, key, dict(zip(PARTS, hashed, strict=True)))
    return found


def write_hashes(kept: Mapping[str, Hashes], path: Path = KEPT) -> None:
    """Keeps hashes, a line for each shader, sorted by name."""
    head = f"# {' '.join(PARTS)}, the key of the shader, its name"
    lines = [" ".join((*each.parts.values(), each.key, name)) for name, each in sorted(kept.items())]
    path.write_text("\n".join([head, *lines, ""]), encoding="utf-8")

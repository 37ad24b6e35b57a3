"""Recomputes the kept hashes and lists each shader that differs: `python -m tests.parsed_shaders`.

Ends with 1 if one differs, or if a kept shader is gone or reads otherwise. With `--write` it keeps what it finds.
`--only NAME` takes the shaders whose names begin so. `--show NAME` prints the canonical text of one shader: run on two
versions of the code, it shows a difference; of a shader that nobody may look into it prints hashes of its lines.
`--save FILE` keeps the shaders themselves, and `--shaders FILE` asks about those, so that another version of the code
can be asked about the same ones when the suites have changed. `--jobs N` processes share the work, all with one
hash seed, so that nothing that comes out of a set can differ from run to run.
"""

from __future__ import annotations

import argparse
import logging
import multiprocessing
import os
import sys
import time
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

from tests.parsed_shaders.collecting import SOURCES, every_shader
from tests.parsed_shaders.digests import (
    LEFT_OUT,
    NOTHING,
    PARTS,
    Hashes,
    hashed,
    lines_of,
    parts_kept,
    read_hashes,
    write_hashes,
)
from tests.parsed_shaders.shader import Shader, digest, read_shaders, write_shaders

# Shaders between two lines of progress, and how many a process takes at once.
_PROGRESS, _AT_ONCE = 200, 4
Work = tuple[Shader, frozenset[str]]


def main(arguments: Sequence[str] | None = None) -> int:
    """Compares, keeps or shows; see `--help`."""
    parser = argparse.ArgumentParser(prog="python -m tests.parsed_shaders", description=__doc__)
    parser.add_argument("--write", action="store_true", help="keep what is found")
    parser.add_argument("--only", default="", metavar="NAME", help="shaders whose names begin so")
    parser.add_argument("--source", action="append", choices=[*SOURCES], help="shaders of that source alone")
    parser.add_argument("--show", default="", metavar="NAME", help="print the canonical text of one shader")
    parser.add_argument("--part", action="append", choices=[*PARTS], help="that part alone")
    parser.add_argument("--share", type=int, default=4, metavar="N",
                        help="with --write, mutants of one in N shaders with a planted bug (4); 1 for all")  # fmt: skip
    parser.add_argument("--missing", action="store_true", help="with --write, only what is not kept yet")
    parser.add_argument("--save", type=Path, metavar="FILE", help="keep the shaders themselves, and do nothing else")
    parser.add_argument("--shaders", type=Path, metavar="FILE", help="ask about the shaders that --save kept")
    parser.add_argument("--jobs", type=int, default=1, metavar="N", help="processes (1)")
    options = parser.parse_args(arguments)
    logging.disable(logging.WARNING)
    shaders = read_shaders(options.shaders) if options.shaders else every_shader(options.source or ())
    shaders = [shader for shader in shaders if shader.name.startswith(options.only)]
    if options.save:
        write_shaders(shaders, options.save)
        print(f"{len(shaders)} shaders in {options.save}")
        return 0
    parts = frozenset(options.part or PARTS)
    if options.show:
        return _show([shader for shader in shaders if shader.name == options.show], parts)
    kept = read_hashes()
    if options.write:
        work = [(shader, parts_kept(shader, options.share) & parts) for shader in shaders]
        if options.missing:
            work = [(shader, some - _known(kept.get(shader.name), shader)) for shader, some in work]
        return _write(kept, [each for each in work if each[1]], options.jobs)
    is_whole = not (options.only or options.source or options.shaders)
    return _compare(kept, shaders, parts, options.jobs, is_whole=is_whole)


def _show(shaders: Sequence[Shader], parts: Collection[str]) -> int:
    if not shaders:
        print("no shader of that name", file=sys.stderr)
        return 2
    for part in PARTS:
        if part in parts:
            print(f"== {part}")
            lines = lines_of(shaders[0], part)
            print(*(line if shaders[0].is_shown else digest([line]) for line in lines), sep="\n")
    return 0


def _write(kept: dict[str, Hashes], work: Sequence[Work], jobs: int) -> int:
    """Keeps what is found beside what is kept of other shaders and parts; from time to time, as it takes long."""
    for number, made in enumerate(_computed(work, jobs), 1):
        kept[made.name] = made.beside(kept.get(made.name))
        if number % _PROGRESS == 0:
            write_hashes(kept)
    write_hashes(kept)
    counts = Counter(part for each in kept.values() for part, value in each.parts.items() if _is_hash(value))
    print(f"{len(kept)} shaders: {', '.join(f'{part} {counts[part]}' for part in PARTS)}")
    return 0


def _known(kept: Hashes | None, shader: Shader) -> frozenset[str]:
    """The parts that are kept of a shader as it reads now."""
    if kept is None or kept.key != shader.key:
        return frozenset()
    return frozenset(part for part, value in kept.parts.items() if value != LEFT_OUT)


def _compare(
    kept: Mapping[str, Hashes], shaders: Sequence[Shader], parts: Collection[str], jobs: int, *, is_whole: bool
) -> int:
    """Lists what differs, by the shader's own key, so that a shader may have another name than it had."""
    by_key = {each.key: each for each in kept.values()}
    known = [(shader, by_key[shader.key]) for shader in shaders if shader.key in by_key]
    work = [
        (shader, frozenset(part for part in parts if each.parts[part] != LEFT_OUT)) for shader, each in known
    ]  # fmt: skip
    differing, counts = 0, Counter[str]()
    for made in _computed(work, jobs):
        before = by_key[made.key]
        asked = [part for part, value in made.parts.items() if value != LEFT_OUT]
        others = [part for part in asked if made.parts[part] != before.parts[part]]
        counts.update(part for part in asked if _is_hash(made.parts[part]))
        if others:
            differing += 1
            print(f"differs in {', '.join(others)}: {made.name}", flush=True)
    keys, names = {shader.key for shader in shaders}, {shader.name for shader in shaders}
    gone = [each for each in kept.values() if each.key not in keys] if is_whole else []
    for each in gone:
        print(f"{'reads otherwise' if each.name in names else 'is gone'}: {each.name}")
    new = len(shaders) - len(known)
    told = ", ".join(f"{part} {counts[part]}" for part in PARTS if part in parts)
    print(f"{len(known)} shaders ({told}): {differing} differ, {len(gone)} gone or changed, {new} new ones")
    return 1 if differing or gone else 0


def _computed(work: Sequence[Work], jobs: int) -> Iterator[Hashes]:
    """The hashes of each shader, those without planted bugs first, by so many processes."""
    start, ordered = time.monotonic(), sorted(work, key=lambda each: each[0].is_variant)
    os.environ["PYTHONHASHSEED"] = "0"  # for the processes that start here
    with ProcessPoolExecutor(max(jobs, 1), multiprocessing.get_context("spawn")) as pool:
        for number, made in enumerate(pool.map(hashed, ordered, chunksize=_AT_ONCE), 1):
            if number % _PROGRESS == 0:
                print(f"{number} of {len(work)}, {time.monotonic() - start:.0f} s", file=sys.stderr, flush=True)
            yield made


def _is_hash(value: str) -> bool:
    return value not in (NOTHING, LEFT_OUT)


if __name__ == "__main__":
    sys.exit(main())

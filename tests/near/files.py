"""Collects the facts of all files, and keeps them between runs: to parse everything takes a quarter of a minute."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path

from tests.checkout import ROOT
from tests.near.facts import Facts, facts_of
from tests.pure.source_tree import LIBRARY, files

# Everything that a test may run or read. Recordings and pictures have facts too: that they are there.
TOPS = ("app.py", *LIBRARY, "benchmarks", "docs", "editors", "examples", "shaders", "tests", "tools")
KEPT = ROOT / ".pytest_cache" / "near-facts.json"
# Written anew when facts mean something else.
VERSION = 3


def all_facts(kept: Path = KEPT) -> Mapping[str, Facts]:
    """The facts of each file by its path relative to the root."""
    known = _load(kept)
    facts, current = {}, {}
    for path in _paths():
        file, key = path.as_posix(), ""
        if path.suffix in (".py", ".glsl"):
            content = (ROOT / path).read_bytes()
            key = hashlib.blake2b(content, digest_size=12).hexdigest()
            stored = known.get(key)
            facts[file] = Facts(*map(tuple, stored)) if stored else facts_of(path.suffix, content.decode("utf-8"))
            current[key] = (facts[file].imports, facts[file].words, facts[file].folders)
        else:
            facts[file] = Facts()
    if current.keys() != known.keys():
        kept.parent.mkdir(exist_ok=True)
        kept.write_text(json.dumps({"version": VERSION, "facts": current}), encoding="utf-8")
    return facts


def _paths() -> list[Path]:
    suffixes = {path.suffix for top in TOPS for path in (ROOT / top).rglob("*")} | {".py"}
    return files(tuple(suffixes), below=TOPS)


def _load(kept: Path) -> dict[str, list[list[str]]]:
    """Facts by a hash of the content; none where the file is missing, broken or of another version."""
    try:
        stored = json.loads(kept.read_text(encoding="utf-8"))
        return stored["facts"] if stored["version"] == VERSION else {}
    except (OSError, ValueError, KeyError, TypeError):
        return {}

"""Runs the tests that lie nearest to what has changed, within a budget of seconds, and says what it leaves out."""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Collection, Sequence
from pathlib import Path

from tests.checkout import ROOT
from tests.near import seconds
from tests.near.budget import Choice, choose
from tests.near.changes import base_of, changed_files
from tests.near.files import all_facts
from tests.near.graph import FileGraph, is_test_module
from tests.near.ranking import Candidate, rank

DEFAULT_TARGET = "test"
SHOWN = 5
NO_TESTS_COLLECTED = 5


def main() -> int:
    """Runs the tests; see `--help`. Returns pytest's code."""
    parser = argparse.ArgumentParser(prog="python -m tests.near", description=__doc__)
    parser.add_argument("--budget", type=float, default=120.0, metavar="SECONDS", help="120 if not given")
    parser.add_argument("--since", metavar="COMMIT", help="compare with this; else with where the main branch was left")
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1, metavar="N", help="one a core if not given")
    parser.add_argument("--list", action="store_true", help="only print the modules with their reasons")
    parser.add_argument(
        "--measure", nargs="*", metavar="PATH", help="run these tests and keep how long each module took"
    )
    parser.add_argument(
        "--target", action="append", default=[], metavar="NAME=MODULES", help="which make target runs which modules"
    )
    options = parser.parse_args()
    if options.measure is not None:
        return measure(options.measure, options.workers)
    since = options.since or base_of(ROOT)
    changed = changed_files(ROOT, since)
    if not changed:
        print(f"nothing differs from {since}")
        return 0
    choice = choose(candidates(changed), options.budget, options.workers)
    print(summary(changed, choice, targets(options.target)))
    if options.list:
        print("\n".join(f"{each.seconds:6.1f} s  {each.file}  ({each.nearness.words})" for each in choice.chosen))
        return 0
    sys.stdout.flush()
    code = pytest(choice.in_order, options.workers) if choice.chosen else 0
    return 0 if code == NO_TESTS_COLLECTED else code


def candidates(changed: Collection[str]) -> list[Candidate]:
    """The test modules that the change may reach, the nearest first."""
    facts = all_facts()
    steps = FileGraph(facts, changed).steps_from(changed)
    modules = [file for file in facts if is_test_module(file)]
    return rank(changed, steps, seconds.estimates(modules, seconds.load()))


def targets(given: Sequence[str]) -> dict[str, str]:
    """By test module the make target that runs it, where that is not `make test`."""
    split = (entry.partition("=") for entry in given)
    return {module: name for name, _, modules in split for module in modules.split()}


def summary(changed: Sequence[str], choice: Choice, target_of: dict[str, str]) -> str:
    """What is run and why; how many modules are left out, which of them lie nearest, and which targets run them."""
    files = f"{len(changed)} changed {'file' if len(changed) == 1 else 'files'}"
    reasons = Counter(each.nearness for each in choice.chosen)
    lines = [f"{files}: {len(choice.chosen)} test modules, about {choice.seconds:.0f} s"]
    lines += [f"  {count:4d}  {nearness.words}" for nearness, count in sorted(reasons.items())]
    if choice.left_out:
        homes = Counter(target_of.get(each.file, DEFAULT_TARGET) for each in choice.left_out)
        by_target = ", ".join(f"make {name} ({count})" for name, count in homes.most_common())
        lines.append(f"left out: {len(choice.left_out)} modules farther off or too long. They are run by {by_target}.")
        lines += [
            f"        {each.file} ({each.nearness.words}, {each.seconds:.0f} s)" for each in choice.left_out[:SHOWN]
        ]
    return "\n".join(lines)


def pytest(modules: Sequence[str], workers: int, *more: str) -> int:
    """Runs pytest on the modules, one at a time on each worker, in this order."""
    count = min(workers, len(modules))
    shared = ["-n", str(count), "--dist", "loadfile", "--no-loadscope-reorder", "--max-worker-restart=0"]
    command = [sys.executable, "-m", "pytest", "-q", *(shared if count > 1 else ["-n", "0"]), *more, *modules]
    return subprocess.run(command, cwd=ROOT, check=False).returncode


def measure(paths: Sequence[str], workers: int) -> int:
    """Runs the tests below `paths` and keeps the seconds of their modules beside those of all others."""
    with tempfile.TemporaryDirectory() as folder:
        written = Path(folder, "seconds.json")
        plugin = ["-p", "tests.near.timing", "--seconds-file", str(written)]
        code = pytest(paths or ["tests/pure", "tests/gl", "tests/faults", "tests/gui"], workers, *plugin)
        tests = {test: computed for test, (computed, _) in json.loads(written.read_text(encoding="utf-8")).items()}
    known = {file: value for file, value in seconds.load().items() if (ROOT / file).is_file()}
    seconds.save(known | seconds.by_module(tests))
    return code


if __name__ == "__main__":
    sys.exit(main())

"""`python -m tests.machines [NAME …]`: the tests of every imitated machine; ends with 1 if one of them fails.

On each machine run the tests that its row of the table names, each in a process of its environment; then the same
planted bugs as on this machine's own driver, whose shares of named, placed and mended bugs have to agree.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

from tests.machines.planted import Row, rows_in, shares
from tests.machines.profiles import MACHINES, ROOT, Machine

# The shares on another driver may differ by this.
_APART = 0.01
# One bug of each cause, and of those each so-manieth for which repairs are looked for.
_EVERY, _REPAIRS = 100, 6
_ALIKE = ("-n", "auto", "--dist", "loadfile", "--no-loadscope-reorder", "--max-worker-restart=0", "-q")


def run_tests(tests: Sequence[str], environment: Mapping[str, str]) -> bool:
    """Runs tests in processes of an environment, on all cores; returns whether all passed."""
    command = [sys.executable, "-m", "pytest", *_ALIKE, *tests]
    return subprocess.run(command, cwd=ROOT, env=dict(environment), check=False).returncode == 0


def planted_rows(environment: Mapping[str, str]) -> Mapping[str, Row]:
    """Returns what becomes of planted bugs in processes of an environment, by the bugs' names."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "rows.json"
        command = [sys.executable, "-m", "tests.machines.planted", "--every", str(_EVERY), "--repairs", str(_REPAIRS)]
        subprocess.run([*command, str(file)], cwd=ROOT, env=dict(environment), check=True)
        return {row.name: row for row in rows_in(file)}


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs everything of the machines named, of all if none is."""
    parser = argparse.ArgumentParser(description=__doc__, prog="python -m tests.machines")
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"of {', '.join(MACHINES)}")
    options = parser.parse_args(arguments)
    if unknown := [name for name in options.names if name not in MACHINES]:
        parser.error(f"NAME: expected one of {', '.join(MACHINES)}, got {', '.join(unknown)}")
    machines = [MACHINES[name] for name in options.names or MACHINES]
    failed = [] if options.names or run_tests(["tests/machines"], os.environ) else ["the imitations themselves"]
    own = planted_rows(os.environ) if any(machine.has_planted_bugs for machine in machines) else {}
    for machine in machines:
        started = time.monotonic()
        print(f"\n{machine.name}: {machine.says}", flush=True)
        if not _holds(machine, own):
            failed.append(machine.name)
        print(f"{machine.name}: {time.monotonic() - started:.0f} s", flush=True)
    print(f"failed: {', '.join(failed)}" if failed else "every machine passes")
    return 1 if failed else 0


def _holds(machine: Machine, own: Mapping[str, Row]) -> bool:
    environment = machine.process_environment()
    has_passed = run_tests(machine.tests, environment)
    if not machine.has_planted_bugs:
        return has_passed
    there = planted_rows(environment)
    shown = [name for name in own if own[name].shows and there[name].shows]
    here, less = (shares(rows[name] for name in shown) for rows in (own, there))
    lost = [name for name in here if abs(here[name] - less[name]) > _APART]
    for name in here:
        print(
            f"{machine.name}: of {len(shown)} bugs {less[name]:.1%} {name}, on this machine's driver {here[name]:.1%}"
        )
    return has_passed and not lost


if __name__ == "__main__":
    sys.exit(main())

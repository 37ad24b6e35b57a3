"""The first result, from the start of a process: of this one, and of others that start with empty or filled caches."""

from __future__ import annotations

import dataclasses
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from texelscope import pipeline
from texelscope.pipeline.bench.figures import FirstResults
from texelscope.pipeline.errors import TexelscopeError
from texelscope.pipeline.quotas import Quotas
from texelscope.pipeline.start_marks import process_start
from texelscope.pipeline.target import OpenOptions, Target

# What a child cannot be told, and what it finds out by itself.
_NOT_TOLD = ("values", "limits")


def first_results(target: Target) -> FirstResults:
    """Two processes, one after the other, that share caches which are empty before the first.

    Python's own compiled modules are none of these caches: both find them. Raises TexelscopeError if one fails.
    """
    with tempfile.TemporaryDirectory(prefix="texelscope-cold-") as folder:
        cold, warm = (_in_a_process(target, Path(folder)) for _ in range(2))
        cached = sum(path.stat().st_size for path in Path(folder).rglob("*") if path.is_file())
    return FirstResults(cold, warm, cached)


def caches_in(folder: Path) -> dict[str, str]:
    """Environment variables with which Mesa, NVIDIA's driver and the program keep their caches in a folder."""
    return {
        "MESA_SHADER_CACHE_DIR": str(folder / "mesa"),
        "MESA_GLSL_CACHE_DIR": str(folder / "mesa"),
        "__GL_SHADER_DISK_CACHE": "1",
        "__GL_SHADER_DISK_CACHE_PATH": str(folder / "nvidia"),
        "XDG_CACHE_HOME": str(folder / "cache"),
    }


def _in_a_process(target: Target, caches: Path) -> float:
    for each in caches_in(caches).values():
        if each != "1":
            Path(each).mkdir(parents=True, exist_ok=True)  # NVIDIA's driver makes none
    beside = str(Path(pipeline.__file__).parent.parent)
    path = os.pathsep.join([beside, *filter(None, [os.environ.get("PYTHONPATH")])])
    done = subprocess.run(
        [sys.executable, "-P", "-m", "texelscope.pipeline.bench.first_result"],
        input=as_text(target),
        env={**os.environ, **caches_in(caches), "PYTHONPATH": path},
        capture_output=True,
        text=True,
        check=False,
    )
    try:
        return float(done.stdout)
    except ValueError:
        raise TexelscopeError(
            "the first result in a process of its own",
            "a time",
            (done.stderr.strip().splitlines() or ["nothing"])[-1],
            "Run bench with --no-first to leave it out.",
        ) from None


def as_text(target: Target) -> str:
    """A target for `target_of_text`, in another process."""
    options = {
        each.name: _plain(getattr(target.options, each.name))
        for each in dataclasses.fields(OpenOptions)
        if each.name not in _NOT_TOLD
    }
    inject = list(target.inject)
    return json.dumps({"path": target.path, "options": options, "inputs": dict(target.inputs), "inject": inject})


def target_of_text(text: str) -> Target:
    """What `as_text` wrote."""
    told = json.loads(text)
    options = told["options"]
    options["shapes"] = {name: tuple(shape) for name, shape in options["shapes"].items()}
    options["quotas"] = Quotas(**options["quotas"])
    options["wrt"] = tuple(options["wrt"])
    return Target(told["path"], OpenOptions(**options), told["inputs"], tuple(told["inject"]))


def _plain(value: Any) -> Any:
    if isinstance(value, Quotas):
        return dataclasses.asdict(value)
    if isinstance(value, Mapping):
        return {name: _plain(each) for name, each in value.items()}
    return value if isinstance(value, str | bool | int | float | None) else [*map(_plain, value)]


def main() -> None:
    """Runs the target that standard input names and prints the milliseconds from the start of this process."""
    from texelscope.pipeline.opening import open_session, set_inputs

    told = target_of_text(sys.stdin.read())
    with open_session(told.path, told.options) as session:
        set_inputs(session, told)
        session.run_fused()
        for key in session.plan.outputs:
            if session.is_valid(key):
                session.tensor(key)
        sys.stdout.write(f"{(time.time() - process_start()) * 1e3}\n")


if __name__ == "__main__":
    main()

"""Judges how a case ended: returns its problems, or nothing."""

from __future__ import annotations

import ast
import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.checkout import ROOT
from tests.fuzz.box import MARK, RAN, Box
from tests.fuzz.case import CASE, OUT, OUTSIDE, Case
from tests.fuzz.server import Ran

MOST_LETTERS = 500
# A file with several things wrong with it has a line for each.
MOST_LINES = 24
_CODES = frozenset({0, 1, 2})
_UNFORESEEN = 3
_CLOSED_PIPE = 141
_FRAME = re.compile(r'File "([^"]+)", line (\d+),? in (\S+)')
_CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff]")
# Where a program may read: itself, Python and its packages, the system's libraries and what it says of itself.
_READABLE = tuple(
    f"{Path(place).resolve()}/" for place in (*sys.path, str(ROOT), sys.prefix, sys.base_prefix, "/usr", "/lib", "/sys")
)
_READABLE_FILES = (
    "/etc/localtime", "/etc/mime.types", "/dev/null", "/dev/urandom", "/proc/meminfo", "/proc/cpuinfo", "/proc/stat",
    *(f"/proc/self/{name}" for name in ("cgroup", "stat", "statm", "status")),
)  # fmt: skip
_OWN_THREADS = "/proc/self/task/"
_TELLING = frozenset({"message", "reason", "evidence", "remedy", "note", "warning"})


@dataclass(frozen=True)
class Breach:
    """A promise that was not kept. `signature` is the same for what is probably one fault."""

    what: str
    detail: str
    signature: str


def breaches(case: Case, ran: Ran, box: Box) -> list[Breach]:
    """All that is wrong with it, the worst first."""
    found = [*_ended(case, ran, box)]
    if not found:
        found += [*_said(case, ran), *_json(case, ran), *_patch(case, box)]
    found += [*_left(case, ran, box), *_outside(case, ran, box)]
    return found


def _ended(case: Case, ran: Ran, box: Box) -> Iterator[Breach]:
    if ran.ended:
        got = f"{ran.seconds:.0f} s of CPU, {ran.wall_seconds:.0f} s, {ran.bytes_at_most / 2**30:.1f} GiB"
        yield Breach(ran.ended, got, f"{ran.ended} in {_innermost(ran.stack)}")
    elif ran.signal:
        name = signal.Signals(ran.signal).name
        yield Breach("signal", name, f"{name} in {_innermost(ran.stack)}")
    elif ran.crash or "Traceback (most recent call last)" in ran.stderr:
        text = ran.crash or ran.stderr
        last = text.rstrip().splitlines()[-1]
        yield Breach("traceback", last[:300], f"{last.split(':')[0][:80]} in {_outermost_last(text)}")
    elif ran.code == _UNFORESEEN:
        log = box.logs()
        said = ran.stderr.rstrip().splitlines()[-1:] or [""]
        yield Breach("unforeseen", said[0][:300], f"unforeseen in {_outermost_last(log)} {_error_of(log)}")
    elif ran.code not in _CODES | case.codes:
        yield Breach("exit code", str(ran.code), f"exit code {ran.code} of {case.words[:1]}")


def _outermost_last(text: str) -> str:
    """The last frame of a traceback that is ours."""
    frames = [(file, name) for file, _, name in _FRAME.findall(text) if _is_ours(file)]
    return f"{Path(frames[-1][0]).relative_to(ROOT)}:{frames[-1][1]}" if frames else "no frame of ours"


def _is_ours(file: str) -> bool:
    return file.startswith(f"{ROOT}/") and not file.startswith((f"{ROOT}/.venv/", f"{ROOT}/tests/"))


def _error_of(log: str) -> str:
    errors = [line for line in log.splitlines() if re.match(r"[\w.]+(Error|Exception|Exit)\b", line)]
    return errors[-1].split(":")[0] if errors else ""


def _innermost(stack: str) -> str:
    """Returns the innermost of our frames, of the threads that are reported."""
    main = stack[stack.find("Current thread") :] if "Current thread" in stack else stack
    for file, _, name in _FRAME.findall(main):
        if _is_ours(file):
            return f"{Path(file).relative_to(ROOT)}:{name}"
    return "no frame of ours"


def _said(case: Case, ran: Ran) -> Iterator[Breach]:
    said = ran.stderr.removesuffix("\n").split("\n") if ran.stderr else []
    usage = [line for line in said if line.startswith(("usage:", "  "))]
    lines = [line for line in said if line not in usage]
    yield from _letters("standard error", lines)
    if ran.code == 2 and not lines and not ran.stdout:
        yield Breach("silence", "exit code 2 and no word", "silence")
    if len(lines) > MOST_LINES:
        yield Breach("message", f"{len(lines)} lines: {lines[0][:200]}", f"many lines {_shape_of(lines[0])}")
    if "-" not in case.words:
        plain = [line for line in ran.stdout.split("\n") if _CONTROL.search(line)]
        yield from _letters("standard output", plain[:3])


def _letters(where: str, lines: list[str]) -> Iterator[Breach]:
    for line in lines:
        control = _CONTROL.search(line)
        if control:
            got = f"{control.group()!a} in {where}: {line[:200]!a}"
            yield Breach("message", got, f"control character in {where} {_shape_of(line)}")
            return
        if len(line) > MOST_LETTERS and where != "standard output":
            yield Breach("message", f"{len(line)} letters: {line[:200]}", f"long line {_shape_of(line)}")
            return


def _shape_of(line: str) -> str:
    """Returns the common part of messages about different files."""
    expected = re.search(r"expected ([^,(]{0,60})", line)
    return expected.group(1) if expected else re.sub(r"\W+", " ", line)[:60]


def _json(case: Case, ran: Ran) -> Iterator[Breach]:
    if "--json" not in case.words or "-" not in case.words or ran.code in (2, _CLOSED_PIPE):
        return
    try:
        report = json.loads(ran.stdout, parse_constant=_refuse)
    except (ValueError, RecursionError) as error:
        yield Breach("json", f"{error}: {ran.stdout[:200]}", f"no JSON {str(error)[:40]}")
        return
    for key, text in _texts(report):
        if len(text) > MOST_LETTERS or "\n" in text or _CONTROL.search(text):
            yield Breach("message", f"'{key}' in JSON: {text[:200]!a} ({len(text)})", f"'{key}' in JSON")
            return


def _patch(case: Case, box: Box) -> Iterator[Breach]:
    """A repair that is written for a folder has to apply there."""
    asked = case.words.index("--fix") + 1 if "--fix" in case.words else len(case.words)
    written = [box.folder / word for word in case.words[asked : asked + 1] if word.startswith(f"{OUT}/")]
    for path in written:
        if not path.is_file() or not path.stat().st_size:
            continue
        line = ["git", "apply", "--check", "-v", str(path)]
        said = subprocess.run(line, cwd=box.folder / CASE, capture_output=True, text=True, check=False)
        if said.returncode:
            yield Breach("patch", said.stderr[:300], f"patch {said.stderr.splitlines()[-1:]}")


def _refuse(name: str) -> float:
    raise ValueError(f"{name} is no JSON")


def _texts(value: Any, key: str = "") -> Iterator[tuple[str, str]]:
    if isinstance(value, dict):
        for name, each in value.items():
            yield from _texts(each, name)
    elif isinstance(value, list):
        for each in value:
            yield from _texts(each, key)
    elif isinstance(value, str) and key in _TELLING:
        yield key, value


def _left(case: Case, ran: Ran, box: Box) -> Iterator[Breach]:
    if ran.left_behind and not ran.ended:
        yield Breach("left running", ran.left_behind[0], "left running")
    strays = [] if ran.ended else [stray for stray in box.strays() if not _is_allowed(stray, case)]
    if strays:
        stray = re.sub(r"[\w-]{6,}", "…", strays[0])
        yield Breach("stray", ", ".join(strays[:5])[:300], f"stray {stray[:60]}")
    unfinished = [] if ran.ended or ran.signal else box.unfinished()
    if unfinished:
        yield Breach("unfinished", ", ".join(unfinished[:5])[:300], "unfinished")


def _is_allowed(stray: str, case: Case) -> bool:
    """A command line may write what it names, and code that it trusts may write that it ran."""
    return stray.partition("/")[0] in {word.rstrip("/") for word in case.words} or (
        stray in case.words or (_is_trusted(case) and stray == f"{OUTSIDE}/{RAN}")
    )


def _is_trusted(case: Case) -> bool:
    return "--trust" in case.words


def _outside(case: Case, ran: Ran, box: Box) -> Iterator[Breach]:
    if box.ran() and not _is_trusted(case):
        yield Breach("ran", "code of the case was run", "ran code")
    if MARK in ran.stdout or MARK in ran.stderr:
        yield Breach("read outside", "what lies outside was told", "told what lies outside")
    copied = box.read_outside()
    if copied:
        yield Breach("read outside", f"what lies outside is in {copied[0]}", "copied what lies outside")
    for line in () if case.leads_outside else ran.opened.splitlines():
        event, _, path = line.partition("\t")
        if event in ("socket.connect", "os.system", "os.exec"):
            yield Breach("outside", line, event)
            return
        if event in ("subprocess.Popen", "os.posix_spawn", "ctypes.dlopen"):
            continue
        place = ast.literal_eval(path)
        if _is_trusted(case) and place == str(box.folder / OUTSIDE / RAN):
            continue
        if not _may_touch(event, place, box) and place not in case.settings.values():
            yield Breach("outside", f"{event} {place!a}"[:300], f"{event} outside")
            return


def _may_touch(event: str, place: str, box: Box) -> bool:
    top = str(box.folder)
    if place == top or place.startswith(f"{top}/"):
        below = place[len(top) + 1 :]
        return not below.startswith("outside/")
    if event == "write":
        return place == os.devnull
    return event in ("open", "os.listdir", "os.scandir") and (
        f"{place}/".startswith((*_READABLE, _OWN_THREADS)) or place in _READABLE_FILES
    )

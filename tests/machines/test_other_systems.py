"""On imitated Windows and macOS: commands without a window, processes that end, and words that say what to do."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Mapping
from pathlib import Path

import psutil
import pytest

from tests.machines.other_systems import CHATTER, REFUSAL, System, environment
from tests.machines.profiles import ROOT

SYSTEMS: tuple[System, ...] = ("win32", "darwin")
FACADES = "examples/facades/facades.onnx"


def _ran(
    system: System, *words: str, folder: Path = ROOT, more: Mapping[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    """Runs Python on an imitated system; `words` follow the interpreter's name."""
    return subprocess.run(
        [sys.executable, *words],
        env=environment(system, PYTHONUTF8="1", **(more or {})),
        cwd=folder,
        capture_output=True,
        encoding="utf-8",
        check=False,
        timeout=120,
    )


@pytest.mark.parametrize("system", SYSTEMS)
def test_its_own_modules_find_another_system_and_libraries_this_one(system: System) -> None:
    tried = (
        "import os, sys, tempfile, texelscope.pipeline.workers.limits as own\n"
        "print(own.sys.platform, own.os.name, hasattr(own.os, 'sched_getaffinity'), tempfile._os.name)"
    )
    told = {"win32": "win32 nt False posix", "darwin": "darwin posix False posix"}
    assert _ran(system, "-c", tried).stdout.strip() == told[system]


def test_files_have_the_names_that_windows_gives(tmp_path: Path) -> None:
    names = ["a:b.png", "nul.txt", "what?.npy", "dot.", "right.npy"]
    tried = (
        "from pathlib import Path\n"
        f"for name in {names}:\n"
        "    try: Path(name).write_text('')\n"
        "    except OSError: print(name, 'refused')\n"
        "with open('right.npy'):\n"
        "    try: Path('right.npy').unlink()\n"
        "    except PermissionError: print('in use')\n"
        "Path('right.npy').unlink()\n"
    )
    here = f"import os; os.chdir({str(tmp_path)!r})\n"
    told = [*(f"{name} refused" for name in names[:-1]), "in use"]
    ran = _ran("win32", "-c", here + tried)
    assert ran.stdout.splitlines() == told, ran.stderr


@pytest.mark.parametrize("system", SYSTEMS)
def test_diff_and_export_run_without_a_window(system: System, tmp_path: Path) -> None:
    compared = _ran(system, "app.py", "diff", FACADES, "--diagnose-seconds", "0")
    assert (compared.returncode, compared.stderr) == (0, "")
    assert "30 of 30 passes match" in compared.stdout
    written = _ran(system, "app.py", "export", FACADES, "--to", str(tmp_path), "--format", "npy,png")
    assert (written.returncode, written.stderr) == (0, "")
    assert len(list(tmp_path.glob("*.png"))) == len(list(tmp_path.glob("*.npy"))) > 29


@pytest.mark.parametrize(
    ("system", "refused", "advice"),
    [
        ("win32", "wglCreateContextAttribsARB not found", "graphics card's maker"),
        ("darwin", "cannot choose pixel format", "on the Mac itself"),
    ],
)
def test_a_refused_context_is_one_line_with_advice_for_that_system(system: System, refused: str, advice: str) -> None:
    ran = _ran(system, "app.py", "diff", FACADES, more={REFUSAL: "1"})
    assert ran.returncode == 2
    assert ran.stderr.count("\n") == 1
    assert f"got {refused}" in ran.stderr
    assert advice in ran.stderr
    assert "apt" not in ran.stderr


SLEEPING = """
import sys, time
from texelscope.pipeline.workers.apart import in_a_process, started
{before}
print("begun", flush=True)
in_a_process("time:sleep", (60,), "sleep")
"""


@pytest.mark.parametrize("system", SYSTEMS)
def test_a_worker_ends_with_its_killed_caller(system: System) -> None:
    caller = subprocess.Popen(
        [sys.executable, "-c", SLEEPING.format(before="")], env=environment(system), cwd=ROOT, stdout=subprocess.PIPE
    )
    assert caller.stdout is not None
    with caller:
        assert caller.stdout.readline() == b"begun\n"
        worker = _worker_of(caller.pid)
        caller.kill()
    gone, _ = psutil.wait_procs([worker], timeout=10)
    assert gone == [worker]


def _worker_of(pid: int) -> psutil.Process:
    end = time.monotonic() + 20
    while time.monotonic() < end:
        for each in psutil.Process(pid).children(recursive=True):
            if "texelscope.pipeline.workers.serve" in each.cmdline() and each.num_threads() > 1:
                return each
        time.sleep(0.02)
    raise AssertionError("no worker")


GREEDY = """
from texelscope.pipeline.workers.apart import in_a_process
from texelscope.pipeline.errors import TexelscopeError
try:
    in_a_process("{function}", {arguments}, "greed", {most})
    print("held nothing")
except (TexelscopeError, MemoryError) as error:
    print(error)
"""


def test_windows_limits_a_worker_s_memory_by_a_job() -> None:
    greedy = GREEDY.format(function="builtins:bytearray", arguments=(3 << 30,), most=2 << 30)
    assert "a process that failed with code 1" in _ran("win32", "-c", greedy).stdout


LIMITS = """
import resource
from texelscope.pipeline.workers.limits import hold
hold(1.0, 8 << 30)
core, memory, time = (resource.getrlimit(getattr(resource, f"RLIMIT_{name}"))[0] for name in ("CORE", "AS", "CPU"))
print(core == 0, memory == 8 << 30, time > 0)
"""


def test_a_limit_that_macos_refuses_takes_no_other_along() -> None:
    assert _ran("linux", "-c", LIMITS).stdout.strip() == "True True True"
    assert _ran("darwin", "-c", LIMITS).stdout.strip() == "True False True"


HANGING = """
import sys, time
from texelscope import command_line
def run(words):
    sys.stdout.write("half a table"); sys.stdout.flush()
    import ctypes
    ctypes.PyDLL(None).sleep(60)  # with the interpreter's lock held, as in a driver that hangs
command_line._run = run
import texelscope.in_time
texelscope.in_time.GRACE_SECONDS = 0.5
sys.exit(command_line.main())
"""


@pytest.mark.parametrize("system", SYSTEMS)
def test_a_time_limit_ends_a_command_that_hangs_in_a_driver(system: System) -> None:
    began = time.monotonic()
    ran = _ran(system, "-c", HANGING, "diff", "a.onnx", "--timeout", "0.3")
    assert time.monotonic() - began < 20
    assert (ran.returncode, ran.stdout) == (2, "half a table")
    told = (
        "texelscope: diff: expected to be done in time, got more than 0.3 s. Give it longer with --timeout SECONDS.\n"
    )
    assert ran.stderr == told


@pytest.mark.parametrize(
    ("system", "more", "told"),
    [
        ("darwin", {"SSH_CONNECTION": "10.0.0.2 22"}, "macOS shows no window over ssh. Start it on the Mac itself."),
        ("win32", {"SSH_CONNECTION": "10.0.0.2 22"}, "Windows shows no window over ssh. Start it on the computer"),
        ("linux", {"WAYLAND_DISPLAY": "wayland-0"}, "Install XWayland"),
        ("linux", {}, "neither DISPLAY nor WAYLAND_DISPLAY is set. Start it in a desktop, or under xvfb-run."),
    ],
)
def test_without_a_display_the_table_and_pictures_come_with_the_reason(
    system: System, more: dict[str, str], told: str, tmp_path: Path
) -> None:
    ran = _ran(system, str(ROOT / "app.py"), str(ROOT / FACADES), folder=tmp_path, more=more)
    assert ran.returncode == 0
    assert "No display here: 30 layer pictures are in out" in ran.stdout
    assert ran.stderr.startswith("texelscope: no window: ")
    assert told in ran.stderr


SIGNS = "✗●○◐→≤≥−×…√Σ⌈x⌉ α ⁻¹ é Łódź 層"


@pytest.mark.parametrize(
    ("encoding", "told"),
    [
        ("utf-8", SIGNS),
        ("cp1252", "x*oo-><=>=-×…sqrt sum ceil(x) alpha ^-¹ é \\u0141ódz \\u5c64"),
        ("cp437", "x*oo->≤≥-x...√Σceil(x) α ^-^1 é \\u0141ódz \\u5c64"),
        ("ascii", "x*oo-><=>=-x...sqrt sum ceil(x) alpha ^-^1 e \\u0141odz \\u5c64"),
    ],
)
def test_letters_that_a_console_lacks_are_written_as_readable_ones(encoding: str, told: str) -> None:
    says = f"import sys; from texelscope.ending import ended; sys.exit(ended(lambda: print({SIGNS!r}) or 0))"
    ran = subprocess.run(
        [sys.executable, "-c", says],
        env=environment("win32", PYTHONIOENCODING=encoding),
        cwd=ROOT,
        capture_output=True,
        check=False,
    )
    assert (ran.returncode, ran.stdout.decode(encoding).strip()) == (0, told)


def test_a_product_on_standard_output_is_utf_8_and_nothing_else_is_there() -> None:
    says = (
        "import sys; from texelscope.ending import ended; from texelscope.output import write_text\n"
        "from texelscope.pipeline.gl.context import headless_context\n"
        f"sys.exit(ended(lambda: headless_context() and write_text('-', {SIGNS!r}) or 0))"
    )
    ran = subprocess.run(
        [sys.executable, "-c", says],
        env=environment("win32", PYTHONIOENCODING="cp1252", **{CHATTER: "1"}),
        cwd=ROOT,
        capture_output=True,
        check=False,
    )
    assert (ran.returncode, ran.stdout.decode(), ran.stderr) == (0, SIGNS, b"the driver greets you\n")


def test_bench_reads_its_figures_beside_a_driver_that_prints() -> None:
    first = (
        "from texelscope.pipeline.bench.timing import first_results\n"
        "from texelscope.arguments import demo\n"
        "print(first_results(demo()).warm_ms > 0)"
    )
    ran = _ran("win32", "-c", first, more={CHATTER: "1"})
    assert ran.stdout.splitlines()[-1] == "True", ran.stderr

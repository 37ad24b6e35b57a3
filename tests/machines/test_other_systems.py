"""On imitated Windows and macOS: commands without a window, processes that end, and words that say what to do."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Mapping
from pathlib import Path

import onnx
import psutil
import pytest
from onnx import TensorProto, helper

from tests.machines.other_systems import CHATTER, REFUSAL, System, environment
from tests.machines.profiles import MACHINES, ROOT

# On Windows or macOS themselves nothing is imitated.
_IS_LINUX = sys.platform == "linux"
_IS_POSIX = os.name == "posix"
SYSTEMS: tuple[System, ...] = ("win32", "darwin") if _IS_LINUX else (sys.platform,)  # type: ignore[assignment]
imitated = pytest.mark.skipif(not _IS_LINUX, reason="it is about the imitation of another system")
EXAMPLE = ROOT / "examples" / "convolution_twice"


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


@imitated
@pytest.mark.parametrize("system", SYSTEMS)
def test_its_own_modules_find_another_system_and_libraries_this_one(system: System) -> None:
    tried = (
        "import os, sys, tempfile, texelscope.pipeline.workers.limits as own\n"
        "print(own.sys.platform, own.os.name, hasattr(own.os, 'sched_getaffinity'), tempfile._os.name)"
    )
    told = {"win32": "win32 nt False posix", "darwin": "darwin posix False posix"}
    assert _ran(system, "-c", tried).stdout.strip() == told[system]


@imitated
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
def test_a_bug_is_named_mended_and_stepped_through_without_a_window(system: System, tmp_path: Path) -> None:
    folder = shutil.copytree(EXAMPLE, tmp_path / "broken")
    shader, pipeline = folder / "conv.frag", str(folder / "pipeline.toml")
    right = shader.read_text(encoding="utf-8")
    shader.write_text(right.replace("ivec2(o, 0)", "ivec2(h, 0)"), encoding="utf-8")
    fix = tmp_path / "fix.patch"
    compared = _ran(system, "app.py", "diff", pipeline, "--fix", str(fix), "--diagnose-seconds", "40")
    assert compared.returncode == 1, compared.stderr
    assert "1 of 2 passes match" in compared.stdout
    line = "    float sum = texelFetch(t_bias, ivec2({}, 0), 0).x;\n"
    assert f"-{line.format('h')}+{line.format('o')}" in fix.read_text(encoding="utf-8")
    stepped = _ran(system, "app.py", "step", pipeline, "--pass", "drawn", "--texel", "5,3")
    assert (stepped.returncode, stepped.stderr) == (0, "")
    assert "y is (" in stepped.stdout


@pytest.mark.parametrize("system", SYSTEMS)
def test_layers_are_exported_under_names_that_the_system_takes(system: System, tmp_path: Path) -> None:
    names, before = ["con", "a:b?", "x.", "dir/nul", "COM1.x"], ["in", "con", "a:b?", "x.", "dir/nul"]
    nodes = [helper.make_node("Relu", [of], [name], name=name) for of, name in zip(before, names, strict=True)]
    ends = [helper.make_tensor_value_info(name, TensorProto.FLOAT, [1, 3, 8, 8]) for name in ("in", names[-1])]
    graph = helper.make_graph(nodes, "odd", ends[:1], ends[1:])
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8), tmp_path / "m.onnx")
    written = _ran(
        system, "app.py", "export", str(tmp_path / "m.onnx"), "--to", str(tmp_path / "out"), "--format", "npy"
    )
    assert (written.returncode, written.stderr) == (0, "")
    assert len(list((tmp_path / "out").glob("*.npy"))) == len(names)


@imitated
@pytest.mark.parametrize(
    ("system", "refused", "advice"),
    [
        ("win32", "wglCreateContextAttribsARB not found", "graphics card's maker"),
        ("darwin", "cannot choose pixel format", "on the Mac itself"),
    ],
)
def test_a_refused_context_is_one_line_with_advice_for_that_system(system: System, refused: str, advice: str) -> None:
    ran = _ran(system, "app.py", "diff", str(EXAMPLE / "model.onnx"), more={REFUSAL: "1"})
    assert ran.returncode == 2
    assert ran.stderr.count("\n") == 1
    assert f"got {refused}" in ran.stderr
    assert advice in ran.stderr
    assert "apt" not in ran.stderr


@imitated
def test_a_mac_has_opengl_4_1_at_most() -> None:
    told = {**MACHINES["strict-4.1"].environment}
    ran = _ran("darwin", "app.py", "diff", str(EXAMPLE / "model.onnx"), "--diagnose-seconds", "0", more=told)
    assert (ran.returncode, ran.stderr) == (0, "")
    assert "2 of 2 passes match" in ran.stdout


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


@imitated
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


@imitated
def test_a_limit_that_macos_refuses_takes_no_other_along() -> None:
    assert _ran("linux", "-c", LIMITS).stdout.strip() == "True True True"
    assert _ran("darwin", "-c", LIMITS).stdout.strip() == "True False True"


HANGING = f"""
import sys, time
from texelscope import command_line
def run(words):
    sys.stdout.write("half a table"); sys.stdout.flush()
    import ctypes  # with the interpreter's lock held, as in a driver that hangs
    ctypes.PyDLL(None).sleep(60) if {_IS_POSIX} else ctypes.PyDLL("kernel32").Sleep(60_000)
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


@imitated
@pytest.mark.parametrize(
    ("system", "more", "told"),
    [
        ("darwin", {"SSH_CONNECTION": "10.0.0.2 22"}, "macOS shows no window over ssh. Start it on the Mac itself."),
        ("win32", {"SSH_CONNECTION": "10.0.0.2 22"}, "Windows shows no window over ssh. Start it on the computer"),
        (
            "linux",
            {"WAYLAND_DISPLAY": "wayland-0"},
            "WAYLAND_DISPLAY=wayland-0 is set, but DISPLAY is not, and the window needs X11. Install XWayland",
        ),
        ("linux", {}, "neither DISPLAY nor WAYLAND_DISPLAY is set. Start it in a desktop, or under xvfb-run."),
    ],
)
def test_what_shows_no_window_is_said_with_what_to_do(system: System, more: dict[str, str], told: str) -> None:
    asked = "from texelscope.pipeline.display import display as d; print(f'{d().name}|{d().missing}. {d().do_next}')"
    assert _ran(system, "-c", asked, more=more).stdout.startswith(f"|{told}")


@imitated
def test_without_a_display_the_table_and_pictures_come_with_the_reason(tmp_path: Path) -> None:
    ran = _ran("linux", str(ROOT / "app.py"), str(EXAMPLE / "pipeline.toml"), folder=tmp_path)
    assert ran.returncode == 0
    assert "No display here: 2 layer pictures are in out" in ran.stdout
    assert ran.stderr.startswith("texelscope: no window: neither DISPLAY nor WAYLAND_DISPLAY is set. Start it in ")


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
        env=environment(SYSTEMS[0], PYTHONIOENCODING=encoding),
        cwd=ROOT,
        capture_output=True,
        check=False,
    )
    assert (ran.returncode, ran.stdout.decode(encoding).strip()) == (0, told)


@imitated
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


@imitated
def test_bench_reads_its_figures_beside_a_driver_that_prints() -> None:
    first = (
        "from texelscope.pipeline.bench.timing import first_results\n"
        "from texelscope.pipeline.target import Target\n"
        f"print(first_results(Target({str(EXAMPLE / 'pipeline.toml')!r})).warm_ms > 0)"
    )
    ran = _ran("win32", "-c", first, more={CHATTER: "1"})
    assert ran.stdout.splitlines()[-1] == "True", ran.stderr

"""Lists the engines, how each is started, and why one cannot be."""

from __future__ import annotations

import importlib.util
import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from benchmarks.peers.install import PAGES, is_installed
from benchmarks.peers.networks import UNET

CHROMIUM_NAMES = ("chromium", "chromium-browser", "google-chrome")
# In a checkout's root, so that `python -m benchmarks…` works.
ROOT = Path(__file__).resolve().parents[2]


@dataclass(frozen=True)
class Places:
    """Names the model, the browser's packages, the browser, a Python with PyTorch, and ANGLE's back end.

    `angle` is the basis of Chromium's WebGL: `gl` is this machine's own OpenGL through an X display, `gl-egl` without
    one, `vulkan`, or `swiftshader`, Chromium's own software.
    """

    model: Path
    packages: Path
    torch_python: str = sys.executable
    angle: str = "gl"


@dataclass(frozen=True)
class Engine:
    """Describes an engine: `command` gives the words that start it; its first result counts from `since`."""

    name: str
    command: Callable[[Places], list[str]]
    since: str = "process"


class MissingEngineError(Exception):
    """An engine cannot run here; the text says why in a few words."""


def own(how: str) -> Engine:
    """Returns this program, opened as `benchmarks.peers.own` reads `how`."""
    command = [sys.executable, "-m", "benchmarks.peers.own"]
    return Engine(f"Texelscope {how.replace(',', ', ')}", lambda at: [*command, str(at.model), how])


def all_engines(hows: tuple[str, ...], network: str = UNET) -> tuple[Engine, ...]:
    """Returns ours first, once for each way of opening the model, then the others."""
    page = "tfjs" if network == UNET else "tfjs_graph"
    torch = _torch if network == UNET else _no_torch
    return (
        *map(own, hows),
        Engine("TensorFlow.js WebGL", lambda at: _browser(at, page), "browser's launch"),
        Engine("ONNX Runtime Web WebGL", lambda at: _browser(at, "ort_webgl"), "browser's launch"),
        Engine("ONNX Runtime Web wasm", lambda at: _browser(at, "ort_wasm"), "browser's launch"),
        Engine("ONNX Runtime CPU", _onnxruntime),
        Engine("PyTorch CPU", lambda at: torch(at, "cpu")),
        Engine("PyTorch CUDA", lambda at: torch(at, "cuda")),
        Engine("PyTorch CUDA graph", lambda at: torch(at, "graph")),
    )


def _browser(at: Places, page: str) -> list[str]:
    node = shutil.which("node")
    chromium = next(filter(None, map(shutil.which, CHROMIUM_NAMES)), None)
    if node is None or chromium is None:
        raise MissingEngineError("no Node.js" if node is None else "no Chromium")
    if not is_installed(at.packages):
        raise MissingEngineError("not installed: python -m benchmarks.peers.install")
    return [node, str(PAGES / "drive.mjs"), str(at.packages), page, str(at.model), chromium, at.angle]


def _onnxruntime(at: Places) -> list[str]:
    if importlib.util.find_spec("onnxruntime") is None:
        raise MissingEngineError("no onnxruntime in this environment")
    return [sys.executable, "-m", "benchmarks.peers.native", str(at.model)]


def _torch(at: Places, how: str) -> list[str]:
    ask = "import torch; print(torch.cuda.is_available())"
    told = subprocess.run([at.torch_python, "-c", ask], capture_output=True, text=True, check=False).stdout.strip()
    if not told:
        raise MissingEngineError("no PyTorch: --torch-python names an interpreter that has it")
    if how != "cpu" and told != "True":
        raise MissingEngineError("no CUDA device")
    return [at.torch_python, str(Path(__file__).with_name("torch_unet.py")), str(at.model), how]


def _no_torch(_at: Places, _how: str) -> list[str]:
    raise MissingEngineError("not written for this network")

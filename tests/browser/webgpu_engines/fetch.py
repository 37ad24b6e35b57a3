"""Fetches engines from npm, once, into a folder of the user's cache: python -m tests.browser.webgpu_engines.fetch."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from benchmarks.peers.install import default_folder
from tests.browser.webgl_engines.fetch import fetch

# By the package and its release: the files that a page needs, unchanged.
ENGINES: Mapping[str, tuple[str, ...]] = {
    "onnxruntime-web@1.30.0": ("dist/ort.webgpu.bundle.min.mjs", "dist/ort-wasm-simd-threaded.asyncify.wasm"),
    "@tensorflow/tfjs@4.22.0": ("dist/tf.js",),
    "@tensorflow/tfjs-backend-webgpu@4.22.0": ("dist/tf-backend-webgpu.js",),
}


def file_of(package: str, name: str) -> Path:
    """Returns where a package's file is, if it is installed."""
    return default_folder() / "webgpu" / package / Path(name).name


def files() -> tuple[Path, ...]:
    """Returns where all files are, if they are installed."""
    return tuple(file_of(package, name) for package, names in ENGINES.items() for name in names)


def install() -> None:
    """Fetches what is not there."""
    for package, names in ENGINES.items():
        fetch(package, {name: file_of(package, name) for name in names})


if __name__ == "__main__":
    install()

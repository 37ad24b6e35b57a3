"""Fetches engines from npm, once, into a folder of the user's cache: python -m tests.browser.webgl_engines.fetch."""

from __future__ import annotations

import subprocess
import tarfile
import tempfile
from collections.abc import Mapping
from pathlib import Path

from benchmarks.peers.install import default_folder

# By the package and its release: the script for a page, unchanged.
ENGINES = {
    "onnxruntime-web@1.30.0": "dist/ort.webgl.min.js",
    "gpu.js@2.16.0": "dist/gpu-browser.min.js",
    "@tensorflow/tfjs@4.22.0": "dist/tf.min.js",
}


def script_of(package: str) -> Path:
    """Returns where an engine's script is, if it is installed; the first whose package begins so."""
    name, script = next((name, script) for name, script in ENGINES.items() if name.startswith(package))
    return default_folder() / "webgl" / name / Path(script).name


def install() -> None:
    """Fetches the scripts that are not there: the packages' archives alone, without what they depend on."""
    for name, script in ENGINES.items():
        fetch(name, {script: script_of(name)})


def fetch(package: str, files: Mapping[str, Path]) -> None:
    """Fetches files of a package, by their paths in it, to where they are wanted; those that are there stay."""
    wanted = {name: path for name, path in files.items() if not path.is_file()}
    if not wanted:
        return
    with tempfile.TemporaryDirectory() as folder:
        packed = subprocess.run(
            ["npm", "pack", "--silent", package], cwd=folder, check=True, capture_output=True, text=True
        )  # fmt: skip
        with tarfile.open(Path(folder) / packed.stdout.split()[-1]) as archive:
            for name, path in wanted.items():
                member = archive.extractfile(f"package/{name}")
                assert member is not None
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(member.read())


if __name__ == "__main__":
    install()

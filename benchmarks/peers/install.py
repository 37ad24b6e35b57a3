"""Fetches the browser engines, once, into a folder of the user's cache, and bundles a page for each.

    python -m benchmarks.peers.install [FOLDER]

Needs Node.js with npm, and Chromium for running them: `make browser` installs that on Debian, as root.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).parent
PAGES = HERE / "browser"
# By page: its source, and what is put into it.
BUNDLES = {
    "tfjs": ("tfjs.js", ()),
    "tfjs_graph": ("tfjs_graph.js", ()),
    "ort_webgl": ("ort.js", ('--define:ORT_PROVIDER="webgl"', "--alias:onnxruntime-web=onnxruntime-web/webgl")),
    "ort_wasm": ("ort.js", ('--define:ORT_PROVIDER="wasm"', "--alias:onnxruntime-web=onnxruntime-web/wasm")),
}


def default_folder() -> Path:
    """Returns the folder of the packages, in the user's cache."""
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "texelscope-peers"


def install(folder: Path) -> None:
    """Fetches what package.json names, if the folder has other versions, and bundles the pages anew."""
    wanted, have = HERE / "package.json", folder / "package.json"
    folder.mkdir(parents=True, exist_ok=True)
    if not (folder / "node_modules").is_dir() or not have.is_file() or have.read_bytes() != wanted.read_bytes():
        have.unlink(missing_ok=True)
        shutil.copyfile(wanted, folder / "wanted.json")
        (folder / "wanted.json").replace(have)
        try:
            _run(["npm", "install", "--silent", "--no-audit", "--no-fund"], folder)
        except BaseException:
            have.unlink(missing_ok=True)
            raise
    for page, (source, more) in BUNDLES.items():
        # Beside node_modules, from where imports are looked for.
        shutil.copyfile(PAGES / source, folder / f"{page}.source.js")
        bundle = [f"{page}.source.js", "--bundle", "--format=iife", f"--outfile={page}.js", "--log-level=error"]
        _run(["node_modules/.bin/esbuild", *bundle, *more], folder)


def is_installed(folder: Path) -> bool:
    """Whether every page is there."""
    return all((folder / f"{page}.js").is_file() for page in BUNDLES)


def _run(command: list[str], folder: Path) -> None:
    subprocess.run(command, cwd=folder, check=True)


def main() -> None:
    """Installs, and says where."""
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else default_folder()
    install(folder)
    print(folder)


if __name__ == "__main__":
    main()

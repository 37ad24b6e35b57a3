"""Fetches releases of TensorFlow.js from npm, once, into a folder of the user's cache, and bundles a page of each.

python -m tests.browser.tfjs_releases.releases [RELEASE …]
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

from benchmarks.peers.install import default_folder
from tests.checkout import ROOT

# The newest, one of 2022, and one whose depthwise convolution reads wrong weights where it packs its channels.
RELEASES = ("4.22.0", "3.18.0", "3.8.0")
ESBUILD = "0.28.2"
HERE = Path(__file__).parent
PACKAGES = ("tfjs-core", "tfjs-backend-webgl", "tfjs-backend-cpu")
_ENTRY = """
import * as tf from '@tensorflow/tfjs-core';
import '@tensorflow/tfjs-backend-webgl';
import '@tensorflow/tfjs-backend-cpu';
window.tf = tf;
"""
_SCRIPTS = ("tf.js", "recorder.js", "operations.js", "calls.js")
_PAGE = "<!DOCTYPE html><meta charset='utf-8'><body></body>" + "".join(
    f"<script src='{each}'></script>" for each in _SCRIPTS
)


def page_of(release: str) -> Path:
    """Returns where the page of a release is, if it is installed."""
    return default_folder() / f"tfjs-{release}" / "page.html"


def install(release: str) -> None:
    """Fetches a release if it is not there, and writes its page anew."""
    folder = page_of(release).parent
    wanted = {
        "private": True,
        "dependencies": {"esbuild": ESBUILD, **{f"@tensorflow/{each}": release for each in PACKAGES}},
    }
    folder.mkdir(parents=True, exist_ok=True)
    if not (folder / "tf.js").is_file():
        (folder / "package.json").write_text(json.dumps(wanted))
        (folder / "entry.js").write_text(_ENTRY)
        subprocess.run(["npm", "install", "--silent", "--no-audit", "--no-fund"], cwd=folder, check=True)
        bundle = ["entry.js", "--bundle", "--format=iife", "--outfile=tf.js", "--log-level=error"]
        subprocess.run([folder / "node_modules" / ".bin" / "esbuild", *bundle], cwd=folder, check=True)
    shutil.copyfile(ROOT / "examples" / "tfjs" / "recorder.js", folder / "recorder.js")
    for name in ("operations.js", "calls.js"):
        shutil.copyfile(HERE / name, folder / name)
    page_of(release).write_text(_PAGE)


if __name__ == "__main__":
    for each in sys.argv[1:] or RELEASES:
        install(each)

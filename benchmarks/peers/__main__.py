"""Measures a network in other engines beside this one, all on this machine, in turns.

    python -m benchmarks.peers.install           # once: the engines in a browser
    python -m benchmarks.peers --ngf 16          # the U-Net generator
    python -m benchmarks.peers --network encoder # or mobilenet, resnet50

Every engine gets the same weights and the same input, and its output is compared with ours. A round runs each engine
once, so that the machine's other work affects all alike; compare the ratios, which are to the first row.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path

from benchmarks.peers.engines import Places, all_engines
from benchmarks.peers.install import default_folder
from benchmarks.peers.measuring import Turns, measure
from benchmarks.peers.model import About, write_network, write_unet
from benchmarks.peers.networks import NETWORKS, UNET
from benchmarks.peers.own import FUSED
from benchmarks.peers.table import as_json, markdown, put_between, text
from tests.gui.virtual_display import VirtualDisplay
from texelscope.pipeline.target import DEFAULT_LAYOUT


def main() -> None:
    """Measures and prints."""
    options = _arguments().parse_args()
    hows = tuple(options.own or [f"{DEFAULT_LAYOUT},{FUSED}", DEFAULT_LAYOUT])
    engines = [
        each for each in all_engines(hows, options.network) if _is_asked(each.name, options.only, options.without)
    ]
    turns = Turns(options.starts, options.least_rounds, options.most_rounds, options.seconds, options.patience)
    in_browser = any(each.since != "process" for each in engines)
    needs_display = in_browser and not os.environ.get("DISPLAY") and options.angle == "gl"
    display: AbstractContextManager[object] = VirtualDisplay() if needs_display else nullcontext()
    with tempfile.TemporaryDirectory(prefix="texelscope-model-") as folder:
        about = _write(Path(folder), options)
        at = Places(Path(folder), options.packages, options.torch_python, options.angle)
        with display as server:
            if isinstance(server, VirtualDisplay):
                os.environ["DISPLAY"] = server.name
            peers = measure(engines, at, about, turns, lambda line: print(line, file=sys.stderr))
    print(text(about, peers))
    if options.json is not None:
        options.json.write_text(as_json(about, peers) + "\n", encoding="utf-8")
    if options.markdown is not None:
        put_between(
            options.markdown,
            f"peers {options.ngf if options.network == UNET else options.network}",
            markdown(about, peers),
        )


def _write(folder: Path, options: argparse.Namespace) -> About:
    if options.network == UNET:
        return write_unet(folder, options.ngf)
    network = NETWORKS[options.network]
    return write_network(folder, network.title, network.build())


def _is_asked(name: str, only: list[str], without: list[str]) -> bool:
    def named(words: list[str]) -> bool:
        return any(word.lower() in name.lower() for word in words)

    return (not only or named(only)) and not named(without)


def _arguments() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--network", default=UNET, choices=(UNET, *NETWORKS), help="what all run (unet)")
    parser.add_argument("--ngf", type=int, default=16, help="width of the U-Net's outermost level (16)")
    parser.add_argument(
        "--own",
        action="append",
        metavar="HOW",
        help="a layout, or options as channel_tiles_rgba,precision=float16,fused; repeatable (default: as it opens, "
        "fused and with every tensor made)",
    )
    parser.add_argument("--only", action="append", default=[], metavar="WORD", help="engines whose name has it")
    parser.add_argument("--without", action="append", default=[], metavar="WORD", help="leave those out; repeatable")
    parser.add_argument("--starts", type=int, default=3, help="cold starts of each engine (3)")
    parser.add_argument("--least-rounds", type=int, default=3)
    parser.add_argument("--most-rounds", type=int, default=30)
    parser.add_argument("--seconds", type=float, default=60.0, help="for the warm rounds (60)")
    parser.add_argument("--patience", type=float, default=30.0, help="seconds for an engine that is slow (30)")
    parser.add_argument(
        "--packages", type=Path, default=default_folder(), help="the folder of benchmarks.peers.install"
    )
    parser.add_argument("--torch-python", default=sys.executable, help="an interpreter that has PyTorch")
    parser.add_argument(
        "--angle", default="gl", choices=("gl", "gl-egl", "vulkan", "swiftshader"), help="what Chromium's WebGL runs on"
    )
    parser.add_argument("--json", type=Path, metavar="FILE")
    parser.add_argument("--markdown", type=Path, metavar="PAGE", help="put the table into docs/speed.md")
    return parser


if __name__ == "__main__":
    main()

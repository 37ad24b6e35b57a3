"""Makes pairs of label map and picture: a few as PNG files to look at, or many in one .npz file for training.

python -m examples.facades.generate --count 6 --to out/facades
python -m examples.facades.generate --count 24000 --to out/pairs.npz
"""

from __future__ import annotations

import argparse
import os
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from examples.facades.building import invent_scene, label_map
from examples.facades.classes import colour_labels
from examples.facades.paint import paint_scene

Pair = tuple[NDArray[np.uint8], NDArray[np.uint8]]


def make_pair(seed: int) -> Pair:
    """Return class indices [128, 128] and picture [128, 128, 3] of one scene, always the same for a seed."""
    parts = invent_scene(np.random.default_rng(seed))
    return label_map(parts), paint_scene(parts)


def make_pairs(count: int, first_seed: int = 0) -> Pair:
    """Return `count` pairs on all cores: class indices [n, 128, 128] and pictures [n, 128, 128, 3]."""
    with ProcessPoolExecutor(os.cpu_count()) as pool:
        seeds = range(first_seed, first_seed + count)
        labels, pictures = zip(*pool.map(make_pair, seeds, chunksize=32), strict=True)
    return np.stack(labels), np.stack(pictures)


def save_pictures(pair: Pair, folder: Path, name: str) -> None:
    """Write the pair as `<name>_labels.png` and `<name>_picture.png`."""
    labels, picture = pair
    folder.mkdir(parents=True, exist_ok=True)
    Image.fromarray(colour_labels(labels)).save(folder / f"{name}_labels.png")
    Image.fromarray(picture).save(folder / f"{name}_picture.png")


def main() -> None:
    """Read the command line and write the pairs."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--count", type=int, default=6, help="how many pairs (default: 6)")
    parser.add_argument("--seed", type=int, default=0, help="the first scene's number (default: 0)")
    parser.add_argument("--to", type=Path, required=True, help="a folder for PNG files, or an .npz file")
    arguments = parser.parse_args()
    if arguments.to.suffix == ".npz":
        labels, pictures = make_pairs(arguments.count, arguments.seed)
        arguments.to.parent.mkdir(parents=True, exist_ok=True)
        np.savez(arguments.to, labels=labels, pictures=pictures)
    else:
        for seed in range(arguments.seed, arguments.seed + arguments.count):
            save_pictures(make_pair(seed), arguments.to, f"{seed:05}")


if __name__ == "__main__":
    main()

"""A pipeline that reads slices is compared and shown in the window like any other."""

from __future__ import annotations

from pathlib import Path

from tests.gl.pipeline_file.test_sampler_updates import INDEX, SUM_TEXT
from tests.gui.desktop import Desktop
from tests.pure.pipeline_file.folders import write_folder

SUMMED = (
    '[pipeline]\noracle = "oracle.py"\n'
    + INDEX.replace('"channel_tiles"', '"channel_tiles"\nsource = "random:3"')
    + """
[[pass]]
name = "sum"
shader = "sum.frag"
output = { shape = [1, 1, 3, 4], layout = "channel_tiles" }
textures.u_planes = "index"
"""
)


def test_a_pass_that_reads_slices_matches_in_the_window(desktop: Desktop, tmp_path: Path) -> None:
    oracle = "def sum(index):\n    return index.sum(axis=1, keepdims=True)\n"
    path = write_folder(tmp_path, SUMMED, sum_frag=SUM_TEXT, oracle_py=oracle)
    window = desktop.start(path, "--trust")
    try:
        desktop.wait_until(lambda: "1/1 match" in desktop.title(window), "the pass is compared", window=window)
    finally:
        window.close()

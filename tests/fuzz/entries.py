"""Ways into the program."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

from tests.checkout import ROOT
from texelscope.pipeline.errors import TexelscopeError


def command(words: list[str]) -> int:
    """The command line, in this process."""
    from texelscope.command_line import main

    return main(words)


def bundle(words: list[str]) -> int:
    """A bundle as the window opens it: unpacked, its target opened, run, compared."""
    from texelscope.pipeline.export.bundle import unpack
    from texelscope.pipeline.opening import open_and_run

    folder = Path("tmp") / "unpacked"
    folder.mkdir()
    try:
        unpacked = unpack(Path(words[0]), folder)
        with open_and_run(unpacked.target) as session:
            session.compare()
    except TexelscopeError as error:
        sys.stderr.write(f"texelscope: {error}\n")
        return 2
    except MemoryError:
        sys.stderr.write("texelscope: no memory\n")
        return 2
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    return 0


def process(words: list[str]) -> int:
    """A new interpreter; STDOUT says where its output goes, PYTHON_OPTION what it is started with."""
    place = os.environ.pop("STDOUT", "")
    options = [option for option in [os.environ.pop("PYTHON_OPTION", "")] if option]
    line = [sys.executable, *options, str(ROOT / "app.py"), *words]
    if place == "closed":
        reader, writer = os.pipe()
        os.close(reader)
        ended = subprocess.run(line, stdout=writer, check=False)
    elif place:
        with Path(place).open("w") as file:
            ended = subprocess.run(line, stdout=file, check=False)
    else:
        ended = subprocess.run(line, check=False)
    return 128 - ended.returncode if ended.returncode < 0 else ended.returncode


ENTRIES: Mapping[str, Callable[[list[str]], int]] = {"command": command, "bundle": bundle, "process": process}

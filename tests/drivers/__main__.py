"""`python -m tests.drivers [NAME …]`: tries every driver, or those named; of all it writes docs/drivers.md.

Ends with 1 if something does not run that should. In the image of Containerfile, drivers are tried as root.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from tests.checkout import ROOT
from tests.container.chroot import built_image, is_possible
from tests.drivers.catalogue import RUNTIME, Driver, catalogue
from tests.drivers.fetch import fetch_angle
from tests.drivers.page import Row, page
from tests.drivers.trials import Place, driver_of, here, results

PAGE = ROOT / "docs" / "drivers.md"
_ANGLE = ROOT / "out" / "drivers" / "angle"


def main(arguments: Sequence[str] | None = None) -> int:
    """Tries drivers and writes the page."""
    drivers = catalogue()
    names = [each.name for each in drivers]
    parser = argparse.ArgumentParser(description=__doc__, prog="python -m tests.drivers")
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"of {', '.join(names)}")
    options = parser.parse_args(arguments)
    if unknown := [name for name in options.names if name not in names]:
        parser.error(f"NAME: expected one of {', '.join(names)}, got {', '.join(unknown)}")
    rows = [row(each) for each in drivers if not options.names or each.name in options.names]
    if not options.names:
        PAGE.write_text(page(rows), encoding="utf-8")
    return 0 if all(each.passed for each in rows) else 1


def row(driver: Driver) -> Row:
    """Tries one driver, and prints what it shows."""
    with tempfile.TemporaryDirectory() as scratch:
        try:
            made = row_of(driver, _place(driver, Path(scratch)))
        except (OSError, subprocess.CalledProcessError) as error:
            made = Row(driver, "", {}, f"It could not be had here: {error}")
    shown = "; ".join(f"{heading}: {each.words} ({each.seconds:.1f} s)" for heading, each in made.results.items())
    print(f"{driver.name}: {made.renderer or made.missing}; {shown}", flush=True)
    return made


def row_of(driver: Driver, place: Place) -> Row:
    """Returns the row of a driver on which commands run there."""
    renderer = driver_of(place.run)
    if not renderer:
        done = place.run(("diff",), 60)
        said = "nothing" if done is None else done.stderr.strip().removeprefix("texelscope: ")
        return Row(driver, "", {}, said)
    return Row(driver, renderer, results(place, is_slow=driver.is_slow))


def _place(driver: Driver, scratch: Path) -> Place:
    if driver.in_image:
        if not is_possible():
            raise OSError("it takes root, debootstrap and chroot")
        image = built_image(scratch)
        return Place(image.command, image.built.folder / "data", ".")
    environment = {RUNTIME: str(scratch), **driver.environment}
    if driver.fetched:
        environment["LD_LIBRARY_PATH"] = str(fetch_angle(_ANGLE))
    return Place(here(environment), scratch, str(scratch))


if __name__ == "__main__":
    sys.exit(main())

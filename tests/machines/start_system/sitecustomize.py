"""Python imports this when it starts: a process with this folder on its path runs on the imitated system."""

from tests.machines import other_systems, strict_driver

other_systems.install()
strict_driver.install()

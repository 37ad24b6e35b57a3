"""Python imports this when it starts: a process with this folder on its path runs on the imitated driver."""

from tests.machines import strict_driver

strict_driver.install()

"""Tests on machines of other people, as far as they can be imitated here: older drivers and other systems."""

"""Tests `viewer.memory` without GL."""

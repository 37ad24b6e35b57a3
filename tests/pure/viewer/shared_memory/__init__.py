"""Tests `viewer.shared_memory` without GL."""

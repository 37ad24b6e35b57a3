"""Tests `symbolic` against what the driver computes."""

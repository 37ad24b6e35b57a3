"""Tests of the probe page's run on this driver."""

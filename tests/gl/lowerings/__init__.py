"""Tests of the forms, on a driver."""

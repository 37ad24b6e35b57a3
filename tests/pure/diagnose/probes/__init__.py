"""Tests of designed inputs and of what is solved from the answers to them."""

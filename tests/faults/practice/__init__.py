"""Planted bugs in the styles that people write in, for whoever changes rules to look at; cases as in `fresh`."""

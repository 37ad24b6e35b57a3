"""Traces: every line that one fragment ran on the driver, what it assigned, what it read, which way it branched."""

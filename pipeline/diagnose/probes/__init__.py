"""Active probing: runs a pass on designed inputs that show which input elements count for which output, how often."""

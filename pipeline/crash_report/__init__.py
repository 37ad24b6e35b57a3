"""Reports crashes: a fault of this program becomes one line that names the file with the full report."""

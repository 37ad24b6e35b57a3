"""Every name of the Python array API, held against array-api-strict, the standard's own strict implementation."""

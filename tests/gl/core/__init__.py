"""Sessions: running plans on a driver."""

"""Pipeline files on the driver."""

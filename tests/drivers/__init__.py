"""Every software driver that can be had here, tried: what runs on it, written as docs/drivers.md."""

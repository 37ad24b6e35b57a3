"""Connects the system's window with the interface: events, drawing, sizes."""

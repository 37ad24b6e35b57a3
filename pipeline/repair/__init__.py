"""Repairs a wrong pass: tries mutations of its text or file on GL and keeps those that are right on held-out inputs."""

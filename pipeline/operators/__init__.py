"""Defines what every operator must describe, and the arithmetic that families share."""

"""Promises kept on a GL driver, off screen."""

"""Tests of maps that are solved from answers to designed inputs."""

"""Importers turn a file into a graph; each is one module of this folder."""

"""Diagnosis on a session: gathering, findings in reports."""

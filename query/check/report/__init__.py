"""Findings as text, JSON, GitHub annotations, SARIF and JUnit."""

"""Shared helpers: read-only arrays, text, numbers, progress, process signals."""

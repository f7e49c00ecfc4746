"""Helpers without a subject of their own: arrays that cannot be written to, text, numbers, progress."""

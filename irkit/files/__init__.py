"""Text files in and out: whole or not at all, compressed or not, and records in JSON lines and CSV."""

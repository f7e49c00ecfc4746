"""Read and write text files (written whole or not at all), compression, and records in JSON lines and CSV."""

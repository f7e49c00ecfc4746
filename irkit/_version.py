"""The version of irkit."""

__version__ = "0.1.0"

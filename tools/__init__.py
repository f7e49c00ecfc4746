"""What keeps the repository itself in order."""

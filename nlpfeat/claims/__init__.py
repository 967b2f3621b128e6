"""What a tutorial on attention claims, tested: what would show each claim, and what it shows."""

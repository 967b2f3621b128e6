"""From term ids to exact counts."""

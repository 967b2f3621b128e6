"""What a difference between models is worth: intervals, tests, and what a test part can tell.

One file a method, NumPy and SciPy alone. Which of them answers what: docs/comparison-statistics.md.
"""

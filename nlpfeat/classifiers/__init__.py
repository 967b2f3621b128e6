"""Classifiers for scikit-learn."""

"""Estimators for scikit-learn, one file each."""

"""Save fitted estimators, and load them, without pickle."""

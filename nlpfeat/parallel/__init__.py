"""Worker processes and arrays on disk."""

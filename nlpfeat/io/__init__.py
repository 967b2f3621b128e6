"""Bytes to rows and back: encodings, files, tables, matrices."""

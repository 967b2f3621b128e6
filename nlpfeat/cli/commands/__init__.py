"""The options of each command, light enough for --help; the work is beside, in work."""

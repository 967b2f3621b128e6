"""The command line: one file a subcommand, data to stdout, words to stderr."""

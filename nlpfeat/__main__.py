"""Run the command line as ``python -m nlpfeat``."""

from nlpfeat.cli.app import main

if __name__ == "__main__":
    main()

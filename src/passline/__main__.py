"""`python -m passline` is the command `passline`."""

import sys

from passline.cli.main import main

if __name__ == "__main__":
    sys.exit(main())

"""`python -m irkit` is the `irkit` command."""

import sys

from irkit.cli import main

sys.exit(main())

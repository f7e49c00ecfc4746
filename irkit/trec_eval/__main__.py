"""`python -m irkit.trec_eval`."""

import sys

from irkit.trec_eval import main

sys.exit(main())

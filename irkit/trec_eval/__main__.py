"""`python -m irkit.trec_eval`."""

import sys

from irkit.trec_eval.program import main

sys.exit(main())

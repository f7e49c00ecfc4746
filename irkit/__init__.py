"""irkit: is this ranking better, and can I trust that? TREC topics, qrels and runs, made, scored, compared.

The public names stand in `__init__.pyi`. Each is loaded when it is first used, so that `import irkit` costs nothing.
"""

from irkit._utils.lazy import lazy_names
from irkit._version import __version__ as __version__

__getattr__, __dir__ = lazy_names(__name__, __file__)

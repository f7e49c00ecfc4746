"""Statistics over topics: whether one run is better than another, and whether that can be trusted.

The names stand in `__init__.pyi`. Each is loaded when it is first used: SciPy would double the time of `irkit score`.
"""

from irkit._utils.lazy import lazy_names

__getattr__, __dir__ = lazy_names(__name__, __file__)

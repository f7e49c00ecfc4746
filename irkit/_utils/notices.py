"""Notices beside a result: about a cache, a lock; they change no number."""

from irkit._utils.visible import visible


def notice(text: str) -> None:
    """Send a line to the logger `irkit`, as a warning: on standard error, unless the program sends it elsewhere."""
    import logging  # which most commands do without

    logging.getLogger("irkit").warning("%s", visible(text))

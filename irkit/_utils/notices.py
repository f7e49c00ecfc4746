"""Log notices about caches and locks; they change no result."""

from irkit._utils.visible import visible


def notice(text: str) -> None:
    """Log a warning to the logger `irkit`: on standard error, unless the program configures it otherwise."""
    import logging  # which most commands do without

    logging.getLogger("irkit").warning("%s", visible(text))

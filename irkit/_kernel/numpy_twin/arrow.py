"""Arrow tables of other libraries; the twin has no reader and leaves them to Python."""

from typing import Any

from irkit._kernel.columns import ArrowTable


def arrow_table(table: Any) -> ArrowTable | None:
    """Import a table of another library by its Arrow stream.

    Parameters
    ----------
    table : object with `__arrow_c_stream__`

    Returns
    -------
    ArrowTable, or None
        None where the table has to be read by Python, which here is always so.

    Raises
    ------
    Exception
        Whatever its library raises, such as pandas where PyArrow is not installed; RuntimeError where the stream breaks
        off or holds no columns.
    """
    return None

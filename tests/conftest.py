import os
from pathlib import Path

import pytest


@pytest.fixture(scope="session")
def shared():
    """The folder of real collections and reference answers, which lies beside the project."""
    folder = Path(os.environ.get("IRKIT_SHARED", Path(__file__).resolve().parents[1].parent / "shared"))
    if not folder.is_dir():
        pytest.skip(f"{folder} is not there")
    return folder

import os
from pathlib import Path

import pytest


@pytest.fixture(scope="session")
def shared() -> Path:
    beside = Path(__file__).resolve().parents[1].parent / "shared"
    folder = Path(os.environ.get("IRKIT_SHARED", beside))
    if not folder.is_dir():
        pytest.skip(f"reads the shared folder, which is not at {folder}")
    return folder

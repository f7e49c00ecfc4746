"""`python -m manual`: write the pages that are made from the code."""

from manual import PAGES

for path, page in PAGES.items():
    path.write_text(f"{page()}\n", "utf-8")

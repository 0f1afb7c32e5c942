#!/usr/bin/env python3
"""Checks that every link of the pages to a file of the repository, and to a heading of a page, leads somewhere.

    check_links.py PAGE...
"""
import re
import sys
from pathlib import Path


def anchors_of(page: Path):
    """The anchors of a page's headings, as they are made from their words."""
    text = re.sub(r"^```.*?^```", "", page.read_text(encoding="utf-8"), flags=re.M | re.S)
    for heading in re.findall(r"^#+ (.*)$", text, re.M):
        yield re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


def main() -> int:
    broken = 0
    for page in map(Path, sys.argv[1:]):
        text = re.sub(r"^```.*?^```", "", page.read_text(encoding="utf-8"), flags=re.M | re.S)
        for link in re.findall(r"\]\(([^)\s]+)\)", text):
            if "://" in link:
                continue
            path, _, anchor = link.partition("#")
            target = (page.parent / path).resolve() if path else page.resolve()
            if target.exists() and (not anchor or anchor in anchors_of(target)):
                continue
            broken += 1
            print(f"{page}: ({link}) leads nowhere.")
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main())

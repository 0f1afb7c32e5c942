#!/usr/bin/env python3
"""Writes every complete program of the pages (a cpp block with a main) to a folder as PAGE_N.cpp, and prints their names.

    page_programs.py FOLDER PAGE...

A file whose text has not changed is left as it is, so that it is not compiled again.
"""
import re
import sys
from pathlib import Path


def main() -> int:
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    for page in map(Path, sys.argv[2:]):
        blocks = re.findall(r"^```cpp\n(.*?)^```", page.read_text(encoding="utf-8"), re.M | re.S)
        programs = [block for block in blocks if "int main(" in block]
        for number, program in enumerate(programs, 1):
            name = f"{page.stem.lower().replace('-', '_')}_{number}"
            file = folder / f"{name}.cpp"
            if not file.exists() or file.read_text(encoding="utf-8") != program:
                file.write_text(program, encoding="utf-8")
            print(name)
    return 0


if __name__ == "__main__":
    sys.exit(main())

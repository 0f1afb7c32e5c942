#!/usr/bin/env python3
"""Names every include line and every LINKS under causeway/ that breaks the tree's order.

    tools/check_includes.py [ROOT]      exit 1 when something is named

A folder may include itself and what stands to its left in LEFT_OF, at any distance. A few rooms are shut all the
same (SHUT), and the headers of other libraries are for the .cpp files of the folders that OTHERS names.
"""

import re
import sys
from pathlib import Path

FORMATS = ["formats/safetensors", "formats/pytorch", "formats/keras", "formats/onnx", "formats/native"]
ENGINES = ["engine/reference", "engine/cpu", "engine/libtorch"]

# What stands directly to the left of each folder.
LEFT_OF = {
    "base": [],
    "tensor": ["base"],
    "graph": ["tensor"],
    "ops": ["graph"],
    "reference": ["ops"],
    "passes": ["reference"],
    "nn": ["passes"],
    "engine": ["passes"],
    **{engine: ["engine"] for engine in ENGINES},
    "answer": ["nn", *ENGINES],
    "formats": ["nn"],
    **{format: ["formats"] for format in FORMATS},
    "formats/pytorch": ["formats", "formats/safetensors"],
    "formats/native": ["formats", "formats/safetensors"],
    "train": ["answer", "formats/native"],
    "pipeline": ["tensor"],
    "learn": ["train", "pipeline", *FORMATS],
    "report": ["learn"],
    "serve": ["learn"],
    "cli": ["report", "serve"],
    "": ["report", "serve"],  # causeway/causeway.h, the header for users
}

# (folder, those who alone may include it besides itself, why), where the order by itself would allow more.
SHUT = [
    *((engine, ["answer"], "only answer names a particular engine") for engine in ENGINES),
    ("formats/safetensors", ["formats/pytorch", "formats/native", "learn", "report", "serve", "cli", ""],
     "train writes checkpoints through formats/native and sees no other format"),
]

# Other libraries' headers, as the include line begins: the folders whose .cpp files may include them. JSON is
# anybody's.
OTHERS = {
    "oneapi/dnnl/": ["engine/cpu"],
    "hwy/": ["engine/cpu"],
    "google/protobuf/": ["formats/onnx"],
    "onnx_proto/": ["formats/onnx"],
    "zip.h": ["formats", "formats/keras", "cli"],
    "zlib.h": ["formats"],
    "hdf5": ["formats", "formats/keras"],
    "openssl/": ["base"],
    "csv.h": ["pipeline", "cli"],
    "sqlite3.h": ["pipeline"],
    "libpq-fe.h": ["pipeline"],
    "date/": ["pipeline"],
    "boost/": ["serve"],
    "CLI/": ["cli"],
    "torch/": ["engine/libtorch"],
    "nlohmann/": list(LEFT_OF),
}

# Highway's code is written in headers, which are included once for each instruction set; nobody includes the command
# line.
IN_HEADERS = ["hwy/", "CLI/", "nlohmann/"]

# Included in quotation marks though not ours: what is generated, and libraries whose own pages write them so.
QUOTED = ("onnx_proto/", "hwy/", "oneapi/dnnl/")

INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]')
LINKS = re.compile(r"causeway_library\s*\(\s*([\w/]+)[^)]*?\bLINKS\b([^)]*)\)")


def all_left_of(folder):
    """Every folder to the left of this one, at any distance."""
    found = set()
    waiting = list(LEFT_OF[folder])
    while waiting:
        left = waiting.pop()
        if left not in found:
            found.add(left)
            waiting += LEFT_OF[left]
    return found


def folder_of(path):
    """The folder of LEFT_OF that holds causeway/<path>: the longest that fits."""
    parts = Path(path).parent.parts
    for length in range(len(parts), 0, -1):
        if "/".join(parts[:length]) in LEFT_OF:
            return "/".join(parts[:length])
    return "" if not parts else None


def arrow_fault(folder, other):
    """Why `folder` may not include `other`, or None."""
    if folder == other:
        return None
    for shut, allowed, why in SHUT:
        if other == shut and folder not in allowed and other in all_left_of(folder):
            return f"{why}."
    if other not in all_left_of(folder):
        return f"{other} does not stand to the left of {folder or 'causeway.h'}."
    return None


def include_fault(path, bracket, included):
    """Why causeway/<path> may not include this, or None."""
    folder = folder_of(path)
    if included.startswith("causeway/"):
        other = folder_of(included.removeprefix("causeway/"))
        return arrow_fault(folder, other) if other is not None else "no such folder is known."
    if bracket == '"' and not included.startswith(QUOTED):
        return "includes are written from the root of the repository."
    for begins, folders in OTHERS.items():
        if included.startswith(begins):
            if folder not in folders:
                return f"headers of this library are for {', '.join(folders)}."
            if path.suffix != ".cpp" and begins not in IN_HEADERS:
                return "headers of another library are for .cpp files."
            return None
    if path.suffix == ".h" and re.search(r"[./]", included):
        return "a header includes only ours and the standard library's."
    return None


def faults(root):
    """Every fault under root/causeway as 'file:line: include: why'."""
    library = root / "causeway"
    for file in sorted(p for p in library.rglob("*") if p.suffix in (".h", ".cpp") or p.name == "CMakeLists.txt"):
        path = file.relative_to(library)
        shown = file.relative_to(root)
        if folder_of(path) is None:
            yield f"{shown}:1: the folder has no place in LEFT_OF yet."
            continue
        text = file.read_text(encoding="utf-8")
        if path.name == "CMakeLists.txt":
            for match in LINKS.finditer(text):
                folder, linked = match.group(1), re.split(r"\b(?:PRIVATE_LINKS|SOURCES)\b", match.group(2))[0].split()
                for other in linked:
                    why = arrow_fault(folder, other) if folder in LEFT_OF else "it has no place in LEFT_OF yet."
                    if why:
                        yield f"{shown}:{text.count(chr(10), 0, match.start()) + 1}: LINKS {other}: {why}"
            continue
        for number, line in enumerate(text.splitlines(), start=1):
            match = INCLUDE.match(line)
            why = match and include_fault(path, *match.groups())
            if why:
                yield f"{shown}:{number}: {match.group(2)}: {why}"


def main():
    root = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).resolve().parent.parent
    found = list(faults(root))
    for fault in found:
        print(fault)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())

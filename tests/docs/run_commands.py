#!/usr/bin/env python3
"""Runs every `causeway …` line of the pages' sh blocks, page by page in a folder that holds the files they name.

    run_commands.py CAUSEWAY ROOT WORK_FOLDER PAGE...

Each line must end with exit code 0. A line that ends in a comment `# exit N` must end with N.
"""
import re
import shlex
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

# What the pages call each file, and where it lies in the repository.
FILES = {
    "titanic.keras": "tests/fixtures/titanic/dense.keras",
    "titanic.pt": "tests/fixtures/titanic/dense.pt",
    "titanic.safetensors": "tests/fixtures/titanic/dense.safetensors",
    "titanic.onnx": "tests/fixtures/titanic/dense_torchscript.onnx",
    "net.json": "tests/fixtures/titanic/dense.network.json",
    "checkpoint.pt": "tests/fixtures/pytorch/under_key.pt",
    "wrapped.pt": "tests/fixtures/pytorch/prefix_module.pt",
    "rows.json": "tests/fixtures/pytorch/rows.network.json",
    "titanic.csv": "data/titanic.csv",
    "learn.json": "data/titanic.pipeline.json",
}


def commands_of(page: Path):
    """The command lines of a page, with the exit code each promises."""
    text = page.read_text(encoding="utf-8")
    for block in re.findall(r"^```sh\n(.*?)^```", text, re.M | re.S):
        for line in block.replace("\\\n", " ").splitlines():
            if not line.startswith("causeway "):
                continue
            promised = re.search(r"# exit (\d)$", line)
            yield line.split(" #")[0], int(promised.group(1)) if promised else 0


def lay_out(root: Path, folder: Path, causeway: str):
    """Copies the files in, and makes the arrays and the pipeline without a network."""
    for name, source in FILES.items():
        shutil.copyfile(root / source, folder / name)
    declared = (root / "examples/titanic_prepare.json").read_text(encoding="utf-8")
    (folder / "titanic.json").write_text(declared.replace("../data/", ""), encoding="utf-8")
    subprocess.run([causeway, "run", "titanic.json", "--out", "parts.npz"], cwd=folder, check=True, capture_output=True)
    with zipfile.ZipFile(folder / "parts.npz") as parts:
        (folder / "rows.npy").write_bytes(parts.read("train_x.npy"))
        (folder / "answers.npy").write_bytes(parts.read("train_y.npy"))


def main() -> int:
    causeway, root, work = sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3])
    failed = 0
    for page in map(Path, sys.argv[4:]):
        folder = work / page.stem
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        lay_out(root, folder, causeway)
        for command, promised in commands_of(page):
            run = subprocess.run([causeway, *shlex.split(command)[1:]], cwd=folder, capture_output=True, text=True,
                                 check=False)
            if run.returncode == promised:
                continue
            failed += 1
            print(f"{page.name}: {command}\n  ended with {run.returncode}, and {promised} is promised.\n{run.stderr}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())

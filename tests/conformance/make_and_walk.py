"""Makes ONNX's backend cases where they are not there yet, and walks them: what conformance/cases runs."""

import os
import pathlib
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
CASES = os.environ["CAUSEWAY_CASES"]

subprocess.run([sys.executable, HERE / "make_cases.py", CASES], check=True)
sys.exit(subprocess.run([os.environ["CAUSEWAY_WALK"], CASES, HERE / "expected.txt"], check=False).returncode)

#!/usr/bin/env python3
# judges: numpy onnx onnxruntime safetensors
"""Every network of tests/fixtures/layers that is written as ONNX passes ONNX's checker, and answers in ONNX Runtime, one
row and all rows, as the framework that judged it. LAYER_WRITER is the program that writes them into a folder."""

import os
import pathlib
import subprocess
import sys
import tempfile

import numpy as np
import onnx
import onnxruntime
from safetensors import safe_open

FIXTURES = pathlib.Path(os.environ["CAUSEWAY_FIXTURES"]) / "layers"


def fault_of(written, answers):
    onnx.checker.check_model(onnx.load(written), full_check=True)
    with safe_open(answers, "numpy") as file:
        keys = list(file.keys())
        inputs = {key[6:]: file.get_tensor(key) for key in keys if key.startswith("input/")}
        judged = {key[7:]: file.get_tensor(key) for key in keys if key.startswith("answer/")}
    session = onnxruntime.InferenceSession(written, providers=["CPUExecutionProvider"])
    names = [output.name for output in session.get_outputs()]
    total = len(next(iter(inputs.values())))
    for rows in sorted({1, total}):
        given = session.run(names, {name: array[:rows] for name, array in inputs.items()})
        for name, array in zip(names, given):
            expected = judged[name][:rows]
            if array.shape != expected.shape:
                return f"{rows} rows: {name} is {array.shape}, and {expected.shape} is judged"
            apart = np.abs(array.astype(np.float64) - expected)
            bound = 1e-5 * np.max(np.abs(expected), initial=0) + 2e-6
            if not np.all(apart <= bound):
                return f"{rows} rows: {name} is {np.max(apart)} off, past {bound}"
    return None


def main():
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([os.environ["LAYER_WRITER"], folder], check=True)
        written = sorted(pathlib.Path(folder).rglob("*.onnx"))
        for path in written:
            name = path.relative_to(folder).with_suffix("")
            try:
                fault = fault_of(path, FIXTURES / f"{name}.answers.safetensors")
            except Exception as error:  # the judge's own refusal is the fault
                fault = str(error)
            if fault:
                failed += 1
                print(f"{name}: {fault}")
        print(f"{len(written) - failed} of {len(written)} networks")
    return 1 if failed or not written else 0


sys.exit(main())

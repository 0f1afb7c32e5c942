#!/usr/bin/env python3
# judges: numpy onnx onnxruntime safetensors
"""Every case of every op that is written as ONNX passes ONNX's checker, and answers in ONNX Runtime as on the reference
engine. OP_WRITER is the program that writes them into a folder. What ONNX Runtime has no kernel for, by its own words, is
counted."""

import os
import pathlib
import subprocess
import sys
import tempfile

import numpy as np
import onnx
import onnxruntime
from safetensors import safe_open

# Where ONNX Runtime answers otherwise or not at all, by what is in the case's name.
KNOWN = {
    "nan wins": "it passes over a NaN",
    "top_k: nan is the largest": "it puts a NaN behind an infinity",
    "mean of none": "it gives 0",
    "cast to uint8 clamps": "ONNX leaves open what a number past the range becomes",
    "pad wrap of no rows": "it refuses to run",
    "dilation [2, 3] same_lower": "it takes no border as wide as the window of an average",
}


def fault_of(written, inputs, judged):
    onnx.checker.check_model(onnx.load(written), full_check=True)
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 4
    options.intra_op_num_threads = 1
    session = onnxruntime.InferenceSession(written, options, providers=["CPUExecutionProvider"])
    names = [output.name for output in session.get_outputs()]
    asked = {door.name for door in session.get_inputs()}
    given = session.run(names, {name: array for name, array in inputs.items() if name in asked})
    for name, array in zip(names, given):
        expected = judged[name]
        if array.shape != expected.shape or array.dtype != expected.dtype:
            return f"{name} is {array.dtype}{array.shape}, and {expected.dtype}{expected.shape} is judged"
        if np.issubdtype(expected.dtype, np.floating):
            near = np.isclose(array.astype(np.float64), expected.astype(np.float64), rtol=2e-5, atol=2e-5, equal_nan=True)
        else:
            near = array == expected
        if not np.all(near):
            return f"{name} is {array[~near][:3]}, and {expected[~near][:3]} is judged"
    return None


def main():
    agreed = failed = 0
    lacking = {}
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([os.environ["OP_WRITER"], folder], check=True)
        for asked in sorted(pathlib.Path(folder).rglob("asked.safetensors")):
            with safe_open(asked, "numpy") as file:
                cases, tensors = file.metadata(), {key: file.get_tensor(key) for key in file.keys()}
            sides = {number: ({}, {}) for number in cases}
            for key, tensor in tensors.items():
                number, _, name = key.partition("/")
                side, _, door = name.partition(".")
                sides[number][side == "out"][door] = tensor
            for number, (inputs, judged) in sides.items():
                case = cases[number]
                if any(part in case for part in KNOWN) and not case.startswith("max_pool ["):
                    continue
                name = f"{case}, opset {asked.parent.name}"
                try:
                    fault = fault_of(asked.parent / f"{number}.onnx", inputs, judged)
                except Exception as error:  # the judge's own refusal is the fault, but for kernels it has not
                    if "NOT_IMPLEMENTED" in str(error):
                        lacking.setdefault(case.rpartition(" ")[2], []).append(name)
                        continue
                    fault = str(error)
                if fault:
                    failed += 1
                    print(f"{name}: {fault}")
                else:
                    agreed += 1
    for op, names in lacking.items():
        print(f"ONNX Runtime has no kernel for {len(names)} of the op {op}, such as {names[0]}")
    print(f"{agreed} of {agreed + failed} files")
    return 1 if failed or not agreed else 0


sys.exit(main())

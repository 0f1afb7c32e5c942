#!/usr/bin/env python3
# judges: numpy onnx onnxruntime safetensors
"""Every model written as ONNX passes ONNX's checker, and answers in ONNX Runtime, one row and all rows, as the model did
in its framework."""

import onnx
import onnxruntime
from judged import causeway, far_apart, judge


def check(name, words, inputs, answers, folder):
    written = folder / "written.onnx"
    causeway("convert", words[0], written, *words[1:])
    onnx.checker.check_model(onnx.load(written), full_check=True)

    session = onnxruntime.InferenceSession(written, providers=["CPUExecutionProvider"])
    (door,) = session.get_inputs()
    if not isinstance(door.shape[0], str):
        return f"the batch is {door.shape[0]}, and it should be a name"
    for rows in (1, len(inputs)):
        (given,) = session.run(None, {door.name: inputs[:rows]})
        fault = far_apart(given, answers[:rows])
        if fault:
            return f"{rows} rows: {fault}"
    return None


judge(check)

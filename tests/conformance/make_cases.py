#!/usr/bin/env python3
# judges: numpy onnx onnxruntime safetensors
"""Writes ONNX's own backend cases as folders: make_cases.py OUT.

OUT/KIND.NAME/ holds model.onnx (with its data) and set_N.safetensors, the inputs as `in.NAME` and what they give as
`out.NAME`; bfloat16 lies there as uint16 under `in.bfloat16.NAME`. Where a value is no tensor that safetensors holds,
set_N.no_tensor stands instead. Folders that are there already are kept.
"""

import pathlib
import shutil
import sys
import warnings

import numpy as np
import onnx
import onnxruntime
from onnx import numpy_helper
from onnx.backend.test.loader import load_model_tests
from safetensors.numpy import save_file

KINDS = ["node", "simple", "pytorch-operator", "pytorch-converted", "real"]
PLAIN = {np.dtype(name) for name in
         "float16 float32 float64 int8 int16 int32 int64 uint8 uint16 uint32 uint64 bool".split()}


class NoTensor(Exception):
    """A value that is no tensor of numbers."""


def keyed(side, name, value):
    if isinstance(value, onnx.TensorProto):
        value = numpy_helper.to_array(value)
    if not isinstance(value, (np.ndarray, np.generic)):
        raise NoTensor
    value = np.asarray(value)
    value = np.ascontiguousarray(value).reshape(value.shape)
    if value.dtype.name == "bfloat16":
        return f"{side}.bfloat16.{name}", value.view(np.uint16)
    if value.dtype not in PLAIN:
        raise NoTensor
    return f"{side}.{name}", value


def write_set(folder, number, model, inputs, outputs):
    fed = {tensor.name for tensor in model.graph.initializer}
    doors = [door.name for door in model.graph.input if door.name not in fed or len(inputs) == len(model.graph.input)]
    try:
        values = dict(keyed("in", name, value) for name, value in zip(doors, inputs))
        values.update(keyed("out", door.name, value) for door, value in zip(model.graph.output, outputs))
        save_file(values, folder / f"set_{number}.safetensors")
    except NoTensor:
        (folder / f"set_{number}.no_tensor").touch()


def read_value(path):
    tensor = onnx.TensorProto()
    tensor.ParseFromString(path.read_bytes())
    if not tensor.data_type:
        raise NoTensor
    return tensor


def write_files(folder, model, data):
    for number, source in enumerate(sorted(data.glob("test_data_set_*"))):
        try:
            inputs = [read_value(source / f"input_{i}.pb") for i in range(len(list(source.glob("input_*.pb"))))]
            outputs = [read_value(source / f"output_{i}.pb") for i in range(len(list(source.glob("output_*.pb"))))]
        except Exception:  # a sequence or map, which does not parse as a tensor
            (folder / f"set_{number}.no_tensor").touch()
            continue
        write_set(folder, number, model, inputs, outputs)


def write_light(folder, name):
    """The light models hold no weights to speak of; inputs are drawn, and ONNX Runtime says what they give (ONNX's own
    evaluator reads Softmax and BatchNormalization of these old sets as the newest)."""
    data = pathlib.Path(onnx.__file__).parent / "backend/test/data/light"
    shutil.copy(data / f"light_{name}.onnx", folder / "model.onnx")
    model = onnx.load(folder / "model.onnx")
    fed = {tensor.name for tensor in model.graph.initializer}
    random = np.random.default_rng(7)
    inputs = []
    for door in model.graph.input:
        if door.name not in fed:
            lengths = [dim.dim_value or 1 for dim in door.type.tensor_type.shape.dim]
            inputs.append((door.name, random.random(lengths, dtype=np.float32)))
    session = onnxruntime.InferenceSession(folder / "model.onnx", providers=["CPUExecutionProvider"])
    outputs = session.run(None, dict(inputs))
    write_set(folder, 0, model, [value for _, value in inputs], outputs)


def write_case(folder, case):
    folder.mkdir(parents=True)
    if case.kind == "real":
        write_light(folder, case.model_name)
    elif case.model is not None:
        onnx.save(case.model, folder / "model.onnx")
        for number, (inputs, outputs) in enumerate(case.data_sets):
            write_set(folder, number, case.model, inputs, outputs)
    else:
        data = pathlib.Path(case.model_dir)
        for file in data.iterdir():
            if file.is_file():
                shutil.copy(file, folder / file.name)
        write_files(folder, onnx.load(data / "model.onnx"), data)


def main():
    out = pathlib.Path(sys.argv[1])
    stamp = out / f"onnx-{onnx.__version__}.stamp"
    if stamp.exists():
        return
    warnings.simplefilter("ignore")
    shutil.rmtree(out, ignore_errors=True)
    for kind in KINDS:
        for case in load_model_tests(kind=kind):
            write_case(out / f"{kind}.{case.name.removeprefix('test_')}", case)
    stamp.touch()


main()

"""What the judges share: running the program, the models it is asked about, and telling how far two answers lie apart."""

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
from safetensors.numpy import load_file

FIXTURES = Path(os.environ["CAUSEWAY_FIXTURES"])
PROGRAM = os.environ["CAUSEWAY_PROGRAM"]

TITANIC = FIXTURES / "titanic"
CONVOLUTION = FIXTURES / "convolution"
TORCH_NETWORKS = ["series", "image", "map", "branches", "steps", "volume"]


def causeway(*words):
    """Runs the program, which must succeed, and gives its stdout."""
    done = subprocess.run([PROGRAM, *map(str, words)], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise AssertionError(f"causeway {' '.join(map(str, words))}: exit {done.returncode}\n{done.stderr}")
    return done.stdout


def shares(logits):
    """What a network of logits answers where its words state a loss over classes."""
    powers = np.exp(logits - logits.max(axis=-1, keepdims=True))
    return powers / powers.sum(axis=-1, keepdims=True)


def models():
    """(name, what the program is told to read it, inputs, answers): each model whose file or words name a network."""
    yield from titanic_models()
    yield from convolution_models()


def titanic_models():
    rows = load_file(TITANIC / "rows.safetensors")["test_x"]
    expected = load_file(TITANIC / "expected.safetensors")

    def model(file, answers, words=()):
        return f"titanic {file}", [TITANIC / file, *words], rows, expected[answers]

    for name, before in (("dense", ""), ("batchnorm", "batchnorm_")):
        for suffix in ("safetensors", "pt"):
            words = ["--network", TITANIC / f"{name}.network.json"]
            yield model(f"{name}.{suffix}", f"{before}torch_chances", words)
        for suffix in (".keras", ".h5", "_keras.onnx"):
            yield model(f"{name}{suffix}", f"{before}keras_chances")
        for exporter in ("torchscript", "dynamo"):
            yield model(f"{name}_{exporter}.onnx", f"{before}torch_logits")
            yield model(f"{name}_{exporter}_sigmoid.onnx", f"{before}torch_chances")
    for suffix in (".keras", ".h5", "_keras.onnx"):
        yield model(f"dense_from_torch{suffix}", "dense_from_torch_keras_chances")


def convolution_models():
    for name in TORCH_NETWORKS:
        arrays = load_file(CONVOLUTION / f"torch_{name}.answers.safetensors")
        network = CONVOLUTION / f"torch_{name}.network.json"
        loss = json.loads(network.read_text()).get("loss")
        answers = arrays["y_channels_last"]
        for suffix in ("safetensors", "pt"):
            file = CONVOLUTION / f"torch_{name}.{suffix}"
            yield (f"convolution {file.name}", [file, "--network", network], arrays["x_channels_last"],
                   shares(answers) if loss == "categorical_crossentropy" else answers)
        for exporter in ("torchscript", "dynamo"):
            file = CONVOLUTION / f"torch_{name}_{exporter}.onnx"
            yield f"convolution {file.name}", [file], arrays["x"], arrays["y"]
    for answers in sorted(CONVOLUTION.glob("keras_*.answers.safetensors")):
        arrays = load_file(answers)
        name = answers.name.removesuffix(".answers.safetensors")
        for file in (CONVOLUTION / f"{name}.{suffix}" for suffix in ("keras", "h5", "onnx")):
            if file.exists():
                yield f"convolution {file.name}", [file], arrays["x"], arrays["y"]


def far_apart(mine, theirs, relative=1e-6, absolute=1e-6):
    """What is wrong with my answers beside theirs, or None. Sums of float32 in another order stay well within."""
    if mine.shape != theirs.shape:
        return f"shapes {mine.shape} and {theirs.shape}"
    distance = np.abs(mine.astype(np.float64) - theirs)
    worst = np.max(distance - relative * np.abs(theirs), initial=0.0)
    return f"apart by {distance.max():.3g}" if worst > absolute else None


def judge(check):
    """Calls check(name, words, inputs, answers, folder) for each model; it gives what is wrong, or None. Then exits."""
    wrong = count = 0
    for name, words, inputs, answers in models():
        count += 1
        with tempfile.TemporaryDirectory() as folder:
            try:
                fault = check(name, words, inputs, answers, Path(folder))
            except Exception as error:  # a judge may fail in any way of its own
                fault = f"{type(error).__name__}: {error}"
        if fault:
            wrong += 1
            print(f"{name}: {fault}")
    print(f"{count - wrong} of {count} models pass")
    sys.exit(1 if wrong or not count else 0)


def answers_of(words, inputs, folder):
    """The program's own answers to these inputs."""
    np.save(folder / "asked.npy", inputs)
    causeway("predict", *words, "--input", folder / "asked.npy", "--output", folder / "answered.npy")
    return np.load(folder / "answered.npy")

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
    rows = load_file(TITANIC / "rows.safetensors")["test_x"]
    expected = load_file(TITANIC / "expected.safetensors")
    for name, before in (("dense", ""), ("batchnorm", "batchnorm_")):
        words = ["--network", TITANIC / f"{name}.network.json"]
        for suffix in ("safetensors", "pt"):
            yield f"titanic {name}.{suffix}", [TITANIC / f"{name}.{suffix}", *words], rows, expected[f"{before}torch_chances"]
        for suffix in ("keras", "h5"):
            yield f"titanic {name}.{suffix}", [TITANIC / f"{name}.{suffix}"], rows, expected[f"{before}keras_chances"]
        for exporter in ("torchscript", "dynamo"):
            yield (f"titanic {name}_{exporter}.onnx", [TITANIC / f"{name}_{exporter}.onnx"], rows,
                   expected[f"{before}torch_logits"])
    for name in TORCH_NETWORKS:
        answers = load_file(CONVOLUTION / f"torch_{name}.answers.safetensors")
        words = ["--network", CONVOLUTION / f"torch_{name}.network.json"]
        loss = json.loads((CONVOLUTION / f"torch_{name}.network.json").read_text()).get("loss")
        expected = answers["y_channels_last"]
        yield (f"convolution torch_{name}.safetensors", [CONVOLUTION / f"torch_{name}.safetensors", *words],
               answers["x_channels_last"], shares(expected) if loss == "categorical_crossentropy" else expected)
        yield (f"convolution torch_{name}_dynamo.onnx", [CONVOLUTION / f"torch_{name}_dynamo.onnx"], answers["x"],
               answers["y"])
    for file in sorted(CONVOLUTION.glob("keras_*.keras")):
        answers = load_file(file.with_suffix(".answers.safetensors"))
        yield f"convolution {file.name}", [file], answers["x"], answers["y"]


def far_apart(mine, theirs, relative=2e-5, absolute=1e-6):
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

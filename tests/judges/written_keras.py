#!/usr/bin/env python3
# judges: numpy safetensors keras tensorflow
"""Every model that can be written as .keras is read by Keras and answers there as it did in its framework."""

import os

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")

import keras  # noqa: E402
from judged import causeway, far_apart, judge  # noqa: E402


def check(name, words, inputs, answers, folder):
    if words[0].suffix == ".onnx":
        return None
    written = folder / "written.keras"
    causeway("convert", words[0], written, *words[1:])
    model = keras.models.load_model(written, compile=False)
    return far_apart(model.predict(inputs, verbose=0), answers)


judge(check)

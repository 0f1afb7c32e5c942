#!/usr/bin/env python3
# judges: numpy safetensors torch
"""A dense network written as safetensors is loaded by PyTorch, strictly, and answers there as before."""

import json

import torch
from judged import causeway, far_apart, judge
from safetensors.torch import load_file


def module_of(network):
    """The Sequential that the words of a Titanic network say."""
    features = network["input"][0]
    layers = []
    for layer in network["layers"]:
        if layer == "relu":
            layers.append(torch.nn.ReLU())
        elif layer["kind"] == "batch_normalization":
            layers.append(torch.nn.BatchNorm1d(features, eps=layer["epsilon"]))
        else:
            layers.append(torch.nn.Linear(features, layer["units"]))
            features = layer["units"]
    return torch.nn.Sequential(*layers)


def check(name, words, inputs, answers, folder):
    if not name.startswith("titanic") or "--network" not in words:
        return None
    written = folder / "written.safetensors"
    causeway("convert", words[0], written, *words[1:])
    module = module_of(json.loads(words[2].read_text()))
    module.load_state_dict(load_file(written))
    with torch.no_grad():
        return far_apart(torch.sigmoid(module.eval()(torch.from_numpy(inputs))).numpy(), answers)


judge(check)

#!/usr/bin/env python3
# judges: numpy safetensors
"""The numbers of a PyTorch file, written as safetensors again, are the same bits under the same names."""

from judged import causeway, judge
from safetensors.numpy import load_file


def check(name, words, inputs, answers, folder):
    if words[0].suffix not in (".safetensors", ".pt"):
        return None
    written = folder / "written.safetensors"
    causeway("convert", words[0], written, *words[1:])
    first, again = load_file(words[0].with_suffix(".safetensors")), load_file(written)
    names = set(first) ^ set(again)
    names |= {path for path in first.keys() & again.keys() if first[path].tobytes() != again[path].tobytes()}
    return f"differ: {sorted(names)}" if names else None


judge(check)

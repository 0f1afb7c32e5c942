#!/usr/bin/env python3
# judges: numpy safetensors
"""The numbers of a PyTorch file, written as safetensors again, are the same bits under the same names; but for how many
batches a normalisation has seen, which a network here does not count."""

from judged import causeway, judge
from safetensors.numpy import load_file


def check(name, words, inputs, answers, folder):
    if words[0].suffix not in (".safetensors", ".pt"):
        return None
    written = folder / "written.safetensors"
    causeway("convert", words[0], written, *words[1:])
    first, again = load_file(words[0].with_suffix(".safetensors")), load_file(written)
    names = set(first) ^ set(again)
    counts = {path for path in again if path.endswith(".num_batches_tracked")}
    names |= {path for path in counts if again[path] != 0}
    names |= {path for path in first.keys() & again.keys() - counts if first[path].tobytes() != again[path].tobytes()}
    return f"differ: {sorted(names)}" if names else None


judge(check)

#!/usr/bin/env python3
"""One row a line in some file, and what check_includes.py says of it."""

import sys
import tempfile
import unittest
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tools"))
import check_includes  # noqa: E402

ROWS = [
    # file, line, what is said (None: nothing)
    ("ops/conv.cpp", '#include "causeway/ops/conv.h"', None),
    ("ops/conv.cpp", '#include "causeway/base/check.h"', None),
    ("ops/conv.cpp", '#include "causeway/reference/conv.h"', "reference does not stand to the left of ops."),
    ("pipeline/split.h", '#include "causeway/tensor/tensor.h"', None),
    ("pipeline/split.h", '#include "causeway/graph/graph.h"', "graph does not stand to the left of pipeline."),
    ("engine/cpu/conv.cpp", '#include "causeway/engine/engine.h"', None),
    ("engine/cpu/conv.cpp", '#include "causeway/engine/reference/engine.h"',
     "engine/reference does not stand to the left of engine/cpu."),
    ("engine/cpu/conv.cpp", '#include "causeway/formats/load.h"', "formats does not stand to the left of engine/cpu."),
    ("formats/onnx/read.cpp", '#include "causeway/engine/engine.h"', "engine does not stand to the left of formats/onnx."),
    ("formats/onnx/nodes/conv.cpp", '#include "causeway/formats/onnx/node_reader.h"', None),
    ("formats/pytorch/read.cpp", '#include "causeway/formats/safetensors/header.h"', None),
    ("formats/keras/read.cpp", '#include "causeway/formats/safetensors/header.h"',
     "formats/safetensors does not stand to the left of formats/keras."),
    ("answer/engines.cpp", '#include "causeway/engine/cpu/engine.h"', None),
    ("train/fit.cpp", '#include "causeway/engine/cpu/engine.h"', "only answer names a particular engine."),
    ("train/fit.cpp", '#include "causeway/formats/safetensors/header.h"',
     "train writes checkpoints through formats/native and sees no other format."),
    ("train/checkpoint.cpp", '#include "causeway/formats/native/save.h"', None),
    ("learn/read_model.cpp", '#include "causeway/formats/onnx/importer.h"', None),
    ("causeway.h", '#include "causeway/learn/learn.h"', None),
    ("causeway.h", '#include "causeway/cli/inspect.h"', "cli does not stand to the left of causeway.h."),
    ("ops/conv.h", '#include "causeway/nowhere/conv.h"', "no such folder is known."),
    ("ops/conv.cpp", '#include "conv.h"', "includes are written from the root of the repository."),
    ("cli/inspect.cpp", "#include <CLI/CLI.hpp>", None),
    ("cli/options.h", "#include <CLI/CLI.hpp>", None),
    ("engine/cpu/tanh-inl.h", '#include "hwy/highway.h"', None),
    ("nn/dense.cpp", "  #  include <CLI/CLI.hpp>", "headers of this library are for cli."),
    ("formats/onnx/read.cpp", '#include "onnx_proto/onnx.pb.h"', None),
    ("formats/zip.h", "#include <zip.h>", "headers of another library are for .cpp files."),
    ("formats/zip.cpp", "#include <zip.h>", None),
    ("formats/map.cpp", "#include <sys/mman.h>", None),
    ("formats/map.h", "#include <sys/mman.h>", "a header includes only ours and the standard library's."),
    ("base/json.h", "#include <vector>", None),
    ("unheard_of/a.h", "#include <vector>", "the folder has no place in LEFT_OF yet."),
    ("ops/CMakeLists.txt", "causeway_library(ops LINKS graph tensor PRIVATE_LINKS threads)", None),
    ("ops/CMakeLists.txt", "causeway_library(ops\n  LINKS graph nn)", "nn does not stand to the left of ops."),
]


class CheckIncludes(unittest.TestCase):
    def test_each_row(self):
        for file, line, said in ROWS:
            with self.subTest(file=file, line=line), tempfile.TemporaryDirectory() as root:
                path = Path(root, "causeway", file)
                path.parent.mkdir(parents=True)
                path.write_text(f"{line}\n", encoding="utf-8")
                found = [fault.rsplit(": ", 1)[1] for fault in check_includes.faults(Path(root))]
                self.assertEqual(found, [said] if said else [])

    def test_says_file_and_line(self):
        with tempfile.TemporaryDirectory() as root:
            path = Path(root, "causeway/base/a.cpp")
            path.parent.mkdir(parents=True)
            path.write_text('// first\n#include "causeway/nn/a.h"\n', encoding="utf-8")
            self.assertEqual(list(check_includes.faults(Path(root))),
                             ["causeway/base/a.cpp:2: causeway/nn/a.h: nn does not stand to the left of base."])

    def test_the_order_has_no_circle(self):
        for folder in check_includes.LEFT_OF:
            self.assertNotIn(folder, check_includes.all_left_of(folder))


if __name__ == "__main__":
    unittest.main()

#include "causeway/engine/cpu/reference_only.h"

namespace causeway::engine::cpu {
namespace {

constexpr std::string_view kFromOnnx = "no layer has it: it comes in from ONNX alone.";

constexpr ReferenceOnly kRows[] = {
    {"ArgMax", "", "it is an answer's last step, over one number a class."},
    {"Cast", "of numbers to another dtype", "indices and masks are cast, which are short."},
    {"MatMul", "by a vector of one axis", kFromOnnx},
    {"Mod", "", kFromOnnx},
    {"Pow", "by whole numbers", kFromOnnx},
    {"Put", "", kFromOnnx},
    {"RandomNormal", "", "each number takes a logarithm and a cosine, in double so that every engine draws the same."},
    {"Recurrent", "of functions that are unbounded curves: elu, selu, gelu, silu, mish and their like",
     "its cells are sigmoid, tanh and relu wherever a file says nothing else."},
    {"RecurrentGradient", "as Recurrent's", "as Recurrent's."},
    {"Reduce", "by a product, or by the logarithm of a sum of powers", kFromOnnx},
    {"RowNumbers", "", "it reads one number where Gather then copies a row."},
    {"Shape", "", "it is a few whole numbers, and folded where lengths are bound."},
    {"Sparsemax", "", "it sorts a row of shares, which is short."},
    {"StepCounts", "", "it reads one number a series."},
    {"TopK", "", "it sorts a row, which is short."},
};

}  // namespace

std::span<const ReferenceOnly> reference_only() { return kRows; }

}  // namespace causeway::engine::cpu

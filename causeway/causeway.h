#pragma once

/// Causeway: reads a model that PyTorch, Keras or ONNX saved into one network; answers with it, trains it further behind
/// a data pipeline, keeps both as one file, and writes the network as ONNX. This header is all a program includes.

#include "causeway/answer/predict.h"
#include "causeway/base/fault.h"
#include "causeway/formats/native/native_file.h"
#include "causeway/formats/onnx/write_onnx.h"
#include "causeway/learn/models.h"
#include "causeway/learn/trained_model.h"
#include "causeway/nn/loss_list.h"
#include "causeway/nn/module.h"
#include "causeway/nn/sequential.h"
#include "causeway/nn/torch_modules.h"
#include "causeway/nn/words.h"
#include "causeway/pipeline/pipeline.h"
#include "causeway/train/fit.h"

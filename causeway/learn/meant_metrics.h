#pragma once

#include "causeway/nn/loss.h"
#include "causeway/pipeline/pipeline.h"

namespace causeway {

/// Refused: metrics that a pipeline asks for and that mean nothing for answers through that loss, each at its step.
/// Numbers have rmse, mae and r2; chances all but the metrics of ordered or shared classes (emd, rps, kl); shares all;
/// and a hinge's margins, which are no chances, auc alone.
void expect_meaning(const pipeline::Pipeline& pipeline, const Loss& loss);
/// The same for the loss that the pipeline's learn.network states. One that cannot be read is left to learn_network().
void expect_meaning(const pipeline::Pipeline& pipeline);

}  // namespace causeway

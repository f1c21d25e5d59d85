// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Encodes the plan of a body, as arcline/abi.h defines it.
#ifndef ARCLINE_PLANDATA_H
#define ARCLINE_PLANDATA_H

#include "BodyPlan.h"

#include "llvm/ADT/ArrayRef.h"

#include <cstdint>
#include <string>
#include <vector>

namespace arcline {

/// The weight of a plan's edge in the counter of a copy.
struct PlanTerm {
  unsigned Counter;
  uint64_t Times;
};

/// The edges of one copy, by counter.
struct PlanCopy {
  unsigned NumCounters; // of its function
  std::vector<PlanTerm> Terms;
};

/// Encode a plan; empty if none is needed.
///
/// Edges   of all copies, one copy after the other; those that are counted
///         have cells in this order
std::string encodePlan(unsigned NumNodes, llvm::ArrayRef<PlanEdge> Edges,
                       llvm::ArrayRef<PlanCopy> Copies);

} // namespace arcline

#endif

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Encodes the data of a body, as arcline/abi.h defines it.
#ifndef ARCLINE_PLANDATA_H
#define ARCLINE_PLANDATA_H

#include "BodyPlan.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <optional>
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

/// Encode what comes before the addresses of blocks.
///
/// Own     slot of the body's own source function
/// Copies  slots of all source functions in it, in the order of the plan
std::string encodeBody(std::optional<unsigned> Own,
                       llvm::ArrayRef<unsigned> Copies, llvm::StringRef Plan);

} // namespace arcline

#endif

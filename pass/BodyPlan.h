// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Selects the points of a function that must be counted at run time to
/// determine the counts of all points. Pure analysis.
#ifndef ARCLINE_BODYPLAN_H
#define ARCLINE_BODYPLAN_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"

#include <string>
#include <vector>

namespace llvm {
class AtomicRMWInst;
class BlockFrequencyInfo;
class Function;
class Instruction;
} // namespace llvm

namespace arcline {

/// A point of the function: an edge of the flow between the other points.
struct PlanEdge {
  static constexpr unsigned Exit = ~0u; // that replaces a node

  unsigned From; // node of the plan
  unsigned To;
  bool IsCounted; // otherwise it follows from the others

  /// Nothing follows from it, and it follows from nothing.
  bool isAlone() const { return From == To; }
};

struct BodyPlan {
  unsigned NumNodes = 0;       // without EXIT
  std::vector<PlanEdge> Edges; // one for each point
};

/// Make the plan with the fewest increments.
///
/// Points       instructions; the point is before them
/// Frequencies  called only if there is a choice
BodyPlan
planBody(llvm::Function &F, llvm::ArrayRef<llvm::Instruction *> Points,
         llvm::function_ref<const llvm::BlockFrequencyInfo &()> Frequencies);

/// Groups of updates that add the same value, one after the other in a block,
/// as indices in the order of code. LLVM makes such rows when it moves counters
/// of each iteration out of a loop. An update that is null is a group of its
/// own.
std::vector<llvm::SmallVector<unsigned, 4>>
equalInARow(llvm::ArrayRef<llvm::AtomicRMWInst *> Updates);

} // namespace arcline

#endif

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Which of several points of a function need to be counted at run time, so
/// that it is known of each how often control passed it. Pure analysis.
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

/// A point of the function, as an edge of the flow between the other points.
struct PlanEdge {
  static constexpr unsigned Exit = ~0u; // in the place of a node

  unsigned From; // node of the plan
  unsigned To;
  bool IsCounted; // else it follows from the others

  /// Nothing follows from it, and it follows from nothing.
  bool isAlone() const { return From == To; }
};

struct BodyPlan {
  unsigned NumNodes = 0;       // without EXIT
  std::vector<PlanEdge> Edges; // one for each point
};

/// Make the plan that counts least often.
///
/// Points       instructions; the point is before them
/// Frequencies  asked for only if there is a choice
BodyPlan
planBody(llvm::Function &F, llvm::ArrayRef<llvm::Instruction *> Points,
         llvm::function_ref<const llvm::BlockFrequencyInfo &()> Frequencies);

/// Groups of updates that add one and the same value, one behind the other in a
/// block, as indices: what counters of a loop's every turn become that were
/// taken out of it. What is null is a group of its own. In the order of code.
std::vector<llvm::SmallVector<unsigned, 4>>
equalInARow(llvm::ArrayRef<llvm::AtomicRMWInst *> Updates);

} // namespace arcline

#endif

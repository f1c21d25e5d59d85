// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Finds the decisions in the source of a function: expressions of conditions
/// that are joined by && || ! ?:, and single conditions. Counts how often each
/// condition determined the outcome of its decision (arcline/decisions.h).
///
/// The flow graph of `if (a && b)` is that of `if (a) if (b)`. The names that
/// clang gives to basic blocks distinguish them, so clang has to keep names.
#ifndef ARCLINE_DECISIONS_PASS_H
#define ARCLINE_DECISIONS_PASS_H

#include "arcline/decisions.h"

#include <cstddef>
#include <vector>

namespace llvm {
class GlobalVariable;
class MDNode;
} // namespace llvm

namespace arcline {

class FlowGraph;

/// A condition of a decision.
struct Condition {
  unsigned Node;   // of the flow graph, which has two ways
  unsigned Choice; // number of the node among those that have a choice
  bool IsInverted; // the first way is that of `!condition`
  arcline_condition Targets; // by the ways, the second one first
};

struct Decision {
  std::vector<Condition> Conditions; // in the order of evaluation
  size_t Size = 0;                   // with a last condition that has no count
  bool IsCounted = true; // otherwise it is too large, or of unknown structure
  unsigned FirstCounter = 0;
  unsigned NumCounters = 0;
};

/// Find the decisions of a graph whose counters are numbered, and number those
/// of the decisions after them.
void findDecisions(FlowGraph &Graph);

/// Insert the counters of decisions. The graph is of no use afterwards.
void countDecisions(const FlowGraph &Graph, llvm::GlobalVariable *Counters,
                    llvm::MDNode *AccessTag);

} // namespace arcline

#endif

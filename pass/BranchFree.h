// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Branches that the optimiser does without: of `a < b ? a : b` it makes a
/// conditional move, of `'0' <= c && c <= '9'` one comparison. A counter behind
/// such a branch would keep it, and whoever cannot be foreseen costs more than
/// all counters. So it is counted before the branch, `counter += condition`.
/// What is a branch in the end all the same gets its counter back behind it,
/// and so does what another branch tells: a range was asked for, both limits
/// hold.
#ifndef ARCLINE_BRANCHFREE_H
#define ARCLINE_BRANCHFREE_H

namespace llvm {
class Function;
class Instruction;
class Value;
} // namespace llvm

namespace arcline {

class FlowGraph;
struct FlowEdge;

/// Mark the edges behind branches that may go away (FlowEdge::IsAhead), those
/// that no counter may stand on for that (FlowEdge::IsKept), and nodes that may
/// have no probe (FlowNode::IsSecondQuestion).
void findBranchFree(FlowGraph &Graph);

/// How often an edge is taken that is counted ahead when control comes to
/// Place, before which it is computed: 0 or 1.
llvm::Value *takenAhead(const FlowEdge &Edge, llvm::Value *Condition,
                        llvm::Instruction *Place);

/// Does I do nothing but compute what a counter is increased by?
bool isAmountOnly(const llvm::Instruction &I);

/// Put updates by a condition behind the branch before which they stand, on
/// ways on which that is known, and the question itself on the other way.
void returnBehindBranches(llvm::Function &F);

} // namespace arcline

#endif

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Finds branches that the optimiser converts: `a < b ? a : b` becomes a
/// conditional move, `'0' <= c && c <= '9'` one comparison. A counter after
/// such a branch would keep it, and a mispredicted branch costs more than all
/// counters. So its edges are counted before it, `counter += condition`. A
/// branch that is left in the end gets its counter back after it, and so does a
/// condition that another branch decides: in a range, both limits hold.
#ifndef ARCLINE_IFCONVERSION_H
#define ARCLINE_IFCONVERSION_H

namespace llvm {
class Function;
class Instruction;
class Value;
} // namespace llvm

namespace arcline {

class FlowGraph;
struct FlowEdge;

/// Mark the edges after branches that may be removed (FlowEdge::IsAhead), edges
/// that must not have a counter for that reason (FlowEdge::IsKept), and nodes
/// that must not have a probe (FlowNode::IsSecondCompare).
void findIfConversions(FlowGraph &Graph);

/// The count, 0 or 1, of an edge that is counted ahead; it is computed before
/// Place, each time that control comes there.
llvm::Value *takenAhead(const FlowEdge &Edge, llvm::Value *Condition,
                        llvm::Instruction *Place);

/// Does I only compute the amount that a counter is increased by?
bool isAmountOnly(const llvm::Instruction &I);

/// Move updates by a condition from before a branch to successors where the
/// condition is known; on the other one the compare moves, too.
void moveAfterBranches(llvm::Function &F);

} // namespace arcline

#endif

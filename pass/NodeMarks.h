// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Marks the places at which nodes of flow graphs begin, from CountPass to
/// PlacePass. The mark is the update of a counter, or, if there is none, a
/// probe (llvm.pseudoprobe), which hardly disturbs the optimiser.
#ifndef ARCLINE_NODEMARKS_H
#define ARCLINE_NODEMARKS_H

#include "llvm/ADT/ArrayRef.h"

#include <cstdint>

namespace llvm {
class Function;
class GlobalVariable;
class Instruction;
} // namespace llvm

namespace arcline {

/// Put a probe before Place.
///
/// Id  of the function whose node it is
void insertProbe(llvm::Instruction *Place, uint64_t Id, uint64_t Node);

bool isNodeProbe(const llvm::Instruction &I);

/// A counter that marks no node.
inline constexpr uint32_t NoNode = ~0u;

/// Record which nodes a function's counters mark.
///
/// Nodes  by counter
void setMarkedNodes(llvm::GlobalVariable &Counters, uint64_t Id,
                    llvm::ArrayRef<uint32_t> Nodes);

/// If the update I marks a node, put a probe before it, which does so instead.
/// Returns whether it does.
bool keepMark(llvm::Instruction &I);

/// The same for all updates, of which only the first mark in a block counts,
/// unless PlacePass splits the block at each mark.
void keepMarks(llvm::Function &F);

} // namespace arcline

#endif

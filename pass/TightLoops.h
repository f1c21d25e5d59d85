// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Counters that are increased again a few instructions later. An increment
/// waits for the one before, which takes five or six cycles by way of memory:
/// more than the loops that scan text take for a turn. Processors that hand on
/// in no time what was stored (Intel's since Golden Cove) do so where the
/// address is a register and a number, not where it is relative to the
/// instruction:
///
///   leaq cells+24(%rip), %rax
///   loop:  incq %gs:(%rax)
#ifndef ARCLINE_TIGHTLOOPS_H
#define ARCLINE_TIGHTLOOPS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseMap.h"

namespace llvm {
class Function;
class Instruction;
} // namespace llvm

namespace arcline {

/// The points that control may come back to soon, each with the instruction
/// before which an address for it is to be computed: in front of the loop, if
/// there are no calls in that.
llvm::DenseMap<const llvm::Instruction *, llvm::Instruction *>
findTightLoops(llvm::Function &F, llvm::ArrayRef<llvm::Instruction *> Points);

} // namespace arcline

#endif

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Finds counters that are increased again a few instructions later. An
/// increment waits for the one before, which takes five or six cycles through
/// memory: more than an iteration of a loop that scans text. Processors that
/// forward a store without latency (Intel's since Golden Cove) do so if the
/// address is a register and an offset, but not if it is relative to the
/// instruction pointer:
///
///   leaq cells+24(%rip), %rax
///   loop:  incq %gs:(%rax)
#ifndef ARCLINE_TIGHTLOOPS_H
#define ARCLINE_TIGHTLOOPS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseMap.h"

namespace llvm {
class Function;
class GlobalVariable;
class Instruction;
class Value;
} // namespace llvm

namespace arcline {

/// The updates of a function to which control may soon return. The function
/// reaches Cells by the segment register.
class TightLoops {
public:
  TightLoops(llvm::Function &F, llvm::ArrayRef<llvm::Instruction *> Updates,
             llvm::GlobalVariable *Cells);

  /// The address of a cell for an update, in a register; null if that has no
  /// gain. The register is set before the loop if that has no calls, otherwise
  /// directly before the update.
  llvm::Value *addressFor(llvm::Instruction *Update, unsigned Cell);

private:
  struct Kept {
    unsigned Cell = 0;
    llvm::Value *Address = nullptr;
  };

  llvm::GlobalVariable *Cells;
  llvm::DenseMap<const llvm::Instruction *, llvm::Instruction *> Places;
  llvm::DenseMap<const llvm::Instruction *, Kept> AtPlace;
};

} // namespace arcline

#endif

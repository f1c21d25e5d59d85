// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Removes counters from code for as long as LLVM analyses it.
#ifndef ARCLINE_REMOVEDCODE_H
#define ARCLINE_REMOVEDCODE_H

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Instruction.h"

namespace arcline {

/// Instructions that are removed from their function until this is destroyed.
/// Meanwhile the function must not change.
class RemovedCode {
public:
  RemovedCode() = default;
  RemovedCode(const RemovedCode &) = delete;
  RemovedCode &operator=(const RemovedCode &) = delete;
  ~RemovedCode() {
    // The last one first: the next instruction may have been removed, too.
    for (const auto &[I, Next] : llvm::reverse(Removed))
      I->insertInto(Next->getParent(), Next->getIterator());
  }

  void remove(llvm::Instruction &I) {
    Removed.push_back({&I, I.getNextNode()});
    I.removeFromParent();
  }

private:
  llvm::SmallVector<std::pair<llvm::Instruction *, llvm::Instruction *>, 32>
      Removed;
};

} // namespace arcline

#endif

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Removes counters from code for as long as LLVM analyses it.
#ifndef ARCLINE_SETASIDE_H
#define ARCLINE_SETASIDE_H

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Instruction.h"

namespace arcline {

/// Instructions that are out of their function while this lives. Meanwhile the
/// function must not change.
class SetAside {
public:
  SetAside() = default;
  SetAside(const SetAside &) = delete;
  SetAside &operator=(const SetAside &) = delete;
  ~SetAside() {
    // The last one first: the next instruction may have been taken, too.
    for (const auto &[I, Next] : llvm::reverse(Taken))
      I->insertInto(Next->getParent(), Next->getIterator());
  }

  void take(llvm::Instruction &I) {
    Taken.push_back({&I, I.getNextNode()});
    I.removeFromParent();
  }

private:
  llvm::SmallVector<std::pair<llvm::Instruction *, llvm::Instruction *>, 32>
      Taken;
};

} // namespace arcline

#endif

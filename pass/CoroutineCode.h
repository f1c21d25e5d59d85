// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Finds code of coroutines that counts for no line: code that the compiler
/// adds at the location of the definition or before the first suspension.
#ifndef ARCLINE_COROUTINECODE_H
#define ARCLINE_COROUTINECODE_H

#include "llvm/ADT/SmallPtrSet.h"

namespace llvm {
class BasicBlock;
class Function;
class Instruction;
} // namespace llvm

namespace arcline {

/// Does a coroutine suspend here, to be resumed later?
bool isSuspendPoint(const llvm::Instruction &I);

class CoroutineCode {
public:
  /// F  as the front end made it, before it is split
  explicit CoroutineCode(const llvm::Function &F);

  bool contains(const llvm::Instruction &I) const {
    return IsHelper || Code.contains(&I);
  }

private:
  void addBefore(const llvm::BasicBlock &Suspending);

  bool IsHelper; // made of an await expression, with its line
  llvm::SmallPtrSet<const llvm::Instruction *, 16> Code;
};

} // namespace arcline

#endif

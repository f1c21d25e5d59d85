// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Finds code of OpenMP's directives that counts for no line: its source lines
/// are those of work in other functions.
#ifndef ARCLINE_OPENMPCODE_H
#define ARCLINE_OPENMPCODE_H

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SmallSet.h"

namespace llvm {
class BasicBlock;
class DISubprogram;
class Function;
class Instruction;
} // namespace llvm

namespace arcline {

/// Is the function the code that a directive controls?
bool isOutlined(const llvm::Function &F);

class OpenMpCode {
public:
  explicit OpenMpCode(const llvm::Function &F);

  bool contains(const llvm::Instruction &I) const;

  /// Does it find a variable that the code of a directive uses, before that?
  bool isCapture(const llvm::Instruction &I) const;

private:
  void findCaptures(const llvm::BasicBlock &Block);

  const llvm::DISubprogram *Outlined; // null if it was not
  bool IsHelper = false;              // all of it is made by the compiler
  const llvm::Function *ThreadNumber; // returns it; null if it is not called
  unsigned FirstLine = 0; // of a part that was outlined: lines before it are
                          // the directive's, which its function counts
  llvm::SmallSet<unsigned, 4> Tasks; // lines of directives that make tasks
  /// Code that finds variables before a directive's own.
  llvm::DenseSet<const llvm::Instruction *> Captures;
};

} // namespace arcline

#endif

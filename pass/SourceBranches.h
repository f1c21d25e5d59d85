// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Finds the conditions in the source of a function. clang's code has branches
/// that the source does not have (CompilerBranches.h), and lacks some that it
/// has: the last operand of && or || whose outcome is a value, and `x ? 1 : 2`.
/// Pure analysis of code as the front end of C and C++ made it; code of other
/// languages is used as it is.
#ifndef ARCLINE_SOURCEBRANCHES_H
#define ARCLINE_SOURCEBRANCHES_H

#include "CompilerBranches.h"
#include "OpenMpCode.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"

namespace llvm {
class BasicBlock;
class DIFile;
class Function;
class Instruction;
class PHINode;
class Value;
} // namespace llvm

namespace arcline {

class SourceText;

/// The beginning of a condition of the source; line 0 if there is none.
struct SourcePlace {
  const llvm::DIFile *File = nullptr;
  unsigned Line = 0;
  unsigned Column = 0;
};

/// A condition on which no branch depends.
struct ValueCondition {
  llvm::Value *Condition;
  llvm::Instruction *Place; // it is evaluated each time that control comes here
  llvm::PHINode *Outcome;   // of the && or || whose last operand it is, or null
  SourcePlace At;
};

/// A block that contains only the outcome of && or ||, on which its successor
/// depends.
struct Joint {
  llvm::PHINode *Outcome;
  /// Uses the opposite of the outcome, or passes that to the next joint.
  bool IsInverted;
};

/// Is V the result of && or ||, whose operands are branches of their own?
bool isLogical(const llvm::Value *V);

class SourceBranches {
public:
  SourceBranches(llvm::Function &F, SourceText &Text);

  /// The place of the condition or switch that determines the successor of a
  /// block.
  SourcePlace placeOf(const llvm::Instruction &Terminator) const;

  /// Conditions in a block on which no branch depends, in order.
  llvm::ArrayRef<ValueCondition>
  valueConditionsIn(const llvm::BasicBlock &Block) const;

  /// The joint of a block, or null.
  const Joint *jointIn(const llvm::BasicBlock &Block) const;

  /// The joint to which a condition passes its outcome; null if that is a
  /// value.
  const Joint *jointAfter(const ValueCondition &Value) const;

private:
  bool isOfCompiler(const llvm::Instruction &Terminator) const;
  SourcePlace beginOf(const llvm::Value *V, unsigned Depth = 0) const;
  void findValueConditions(llvm::BasicBlock &Block);

  const llvm::Function &F;
  bool IsOfC, IsDefaulted;
  CompilerBranches Made;
  OpenMpCode OpenMp;
  llvm::DenseMap<const llvm::BasicBlock *, Joint> Joints;
  llvm::DenseMap<const llvm::BasicBlock *, llvm::SmallVector<ValueCondition, 1>>
      ValueConditions;
};

} // namespace arcline

#endif

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Compat.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/ReplaceConstant.h"

using namespace llvm;

void arcline::convertUsersToInstructions(ArrayRef<Constant *> Constants) {
#if LLVM_VERSION_MAJOR >= 17
  convertUsersOfConstantsToInstructions(Constants);
#else
  SetVector<ConstantExpr *> Expressions;
  auto AddUsers = [&](Constant *C) {
    for (User *U : C->users())
      if (auto *Expression = dyn_cast<ConstantExpr>(U))
        Expressions.insert(Expression);
  };
  for (Constant *Constant : Constants)
    AddUsers(Constant);
  for (unsigned I = 0; I != Expressions.size(); ++I)
    AddUsers(Expressions[I]);
  // Expanding an expression makes those in it operands of a new instruction, so
  // repeat until nothing changes.
  for (bool Changed = true; Changed;) {
    Changed = false;
    for (ConstantExpr *Expression : Expressions) {
      SmallVector<Use *, 16> Uses;
      for (Use &U : Expression->uses())
        if (isa<Instruction>(U.getUser()))
          Uses.push_back(&U);
      // A phi must have one value for all edges from one block.
      DenseMap<Instruction *, Instruction *> Expanded;
      for (Use *U : Uses) {
        auto *Place = cast<Instruction>(U->getUser());
        if (auto *Phi = dyn_cast<PHINode>(Place))
          Place = Phi->getIncomingBlock(*U)->getTerminator();
        Instruction *&Value = Expanded[Place];
        if (!Value) {
          Value = Expression->getAsInstruction(Place);
          Value->setDebugLoc(Place->getDebugLoc());
        }
        U->set(Value);
        Changed = true;
      }
    }
  }
#endif
}

void arcline::createLifetimeMark(IRBuilderBase &Builder, AllocaInst *Variable,
                                 uint64_t NumBytes, bool IsEnd) {
#if LLVM_VERSION_MAJOR >= 22
  (void)NumBytes;
  if (IsEnd)
    Builder.CreateLifetimeEnd(Variable);
  else
    Builder.CreateLifetimeStart(Variable);
#else
  ConstantInt *Size = Builder.getInt64(NumBytes);
  if (IsEnd)
    Builder.CreateLifetimeEnd(Variable, Size);
  else
    Builder.CreateLifetimeStart(Variable, Size);
#endif
}

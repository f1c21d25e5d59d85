// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Hides the differences between the supported versions of LLVM that no common
/// interface covers.
#ifndef ARCLINE_COMPAT_H
#define ARCLINE_COMPAT_H

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/ReplaceConstant.h"

#if LLVM_VERSION_MAJOR < 17
#include "llvm/Analysis/EHPersonalities.h"
#else
#include "llvm/IR/EHPersonalities.h"
#endif

#if __has_include("llvm/Plugins/PassPlugin.h")
#include "llvm/Plugins/PassPlugin.h" // LLVM 22
#else
#include "llvm/Passes/PassPlugin.h"
#endif

namespace arcline {

/// Turn constant expressions over Constants that instructions use into
/// instructions before their users.
inline void
convertUsersToInstructions(llvm::ArrayRef<llvm::Constant *> Constants) {
#if LLVM_VERSION_MAJOR >= 17
  llvm::convertUsersOfConstantsToInstructions(Constants);
#else
  llvm::SetVector<llvm::ConstantExpr *> Expressions;
  auto AddUsers = [&](llvm::Constant *C) {
    for (llvm::User *U : C->users())
      if (auto *Expression = llvm::dyn_cast<llvm::ConstantExpr>(U))
        Expressions.insert(Expression);
  };
  for (llvm::Constant *Constant : Constants)
    AddUsers(Constant);
  for (unsigned I = 0; I != Expressions.size(); ++I)
    AddUsers(Expressions[I]);
  // Expanding an expression makes those in it operands of a new instruction, so
  // repeat until nothing changes.
  for (bool Changed = true; Changed;) {
    Changed = false;
    for (llvm::ConstantExpr *Expression : Expressions) {
      llvm::SmallVector<llvm::Use *, 16> Uses;
      for (llvm::Use &U : Expression->uses())
        if (llvm::isa<llvm::Instruction>(U.getUser()))
          Uses.push_back(&U);
      // A phi must have one value for all edges from one block.
      llvm::DenseMap<llvm::Instruction *, llvm::Instruction *> Expanded;
      for (llvm::Use *U : Uses) {
        auto *Place = llvm::cast<llvm::Instruction>(U->getUser());
        if (auto *Phi = llvm::dyn_cast<llvm::PHINode>(Place))
          Place = Phi->getIncomingBlock(*U)->getTerminator();
        llvm::Instruction *&Value = Expanded[Place];
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

/// Call Visit with each declaration of a variable at I: before it, as a record,
/// or I itself. All have the same interface.
template <typename Visitor>
void forEachDeclaration(llvm::Instruction &I, Visitor Visit) {
#if LLVM_VERSION_MAJOR >= 19
  for (llvm::DbgVariableRecord &Record :
       llvm::filterDbgVars(I.getDbgRecordRange()))
    if (Record.isDbgDeclare())
      Visit(Record);
#else
  if (auto *Declare = llvm::dyn_cast<llvm::DbgDeclareInst>(&I))
    Visit(*Declare);
#endif
}

/// Call Visit with the address and the name of each variable that debug
/// information describes at I. Assignment tracking (clang -O1) replaces
/// declarations by assignments.
template <typename Visitor>
void forEachVariable(llvm::Instruction &I, Visitor Visit) {
#if LLVM_VERSION_MAJOR >= 19
  for (llvm::DbgVariableRecord &Record :
       llvm::filterDbgVars(I.getDbgRecordRange()))
    if (Record.isDbgDeclare() || Record.isDbgAssign())
      Visit(Record.getAddress(), Record.getVariable()->getName());
#else
  if (const auto *Declare = llvm::dyn_cast<llvm::DbgDeclareInst>(&I))
    Visit(Declare->getAddress(), Declare->getVariable()->getName());
  else if (const auto *Assign = llvm::dyn_cast<llvm::DbgAssignIntrinsic>(&I))
    Visit(Assign->getAddress(), Assign->getVariable()->getName());
#endif
}

/// Call Visit with the location of each label of the source before I, or I
/// itself.
template <typename Visitor>
void forEachLabel(const llvm::Instruction &I, Visitor Visit) {
#if LLVM_VERSION_MAJOR >= 19
  for (const llvm::DbgRecord &Record : I.getDbgRecordRange())
    if (const auto *Label = llvm::dyn_cast<llvm::DbgLabelRecord>(&Record))
      if (const llvm::DILocation *Location = Label->getDebugLoc())
        Visit(*Location);
#else
  if (llvm::isa<llvm::DbgLabelInst>(I))
    if (const llvm::DILocation *Location = I.getDebugLoc())
      Visit(*Location);
#endif
}

/// Mark the beginning or end of a variable's lifetime. LLVM 22 determines its
/// size.
inline void createLifetimeMark(llvm::IRBuilderBase &Builder,
                               llvm::AllocaInst *Variable, uint64_t NumBytes,
                               bool IsEnd) {
#if LLVM_VERSION_MAJOR >= 22
  (void)NumBytes;
  if (IsEnd)
    Builder.CreateLifetimeEnd(Variable);
  else
    Builder.CreateLifetimeStart(Variable);
#else
  llvm::ConstantInt *Size = Builder.getInt64(NumBytes);
  if (IsEnd)
    Builder.CreateLifetimeEnd(Variable, Size);
  else
    Builder.CreateLifetimeStart(Variable, Size);
#endif
}

} // namespace arcline

#endif

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What differs between the supported versions of LLVM (16 to 22) and cannot be
/// had from an interface that they share.
#ifndef ARCLINE_COMPAT_H
#define ARCLINE_COMPAT_H

#include "llvm/ADT/SetVector.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Instruction.h"
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
  for (llvm::Constant *Constant : Constants) {
    llvm::SetVector<llvm::ConstantExpr *> Expressions;
    auto AddUsers = [&](llvm::Constant *C) {
      for (llvm::User *U : C->users())
        if (auto *Expression = llvm::dyn_cast<llvm::ConstantExpr>(U))
          Expressions.insert(Expression);
    };
    AddUsers(Constant);
    for (unsigned I = 0; I != Expressions.size(); ++I)
      AddUsers(Expressions[I]);
    for (llvm::ConstantExpr *Expression : Expressions) {
      llvm::SetVector<llvm::Instruction *> Users;
      for (llvm::User *U : Expression->users())
        if (auto *I = llvm::dyn_cast<llvm::Instruction>(U))
          Users.insert(I);
      for (llvm::Instruction *User : Users)
        for (llvm::ConstantExpr *Direct : Expressions)
          llvm::convertConstantExprsToInstructions(User, Direct);
    }
  }
#endif
}

} // namespace arcline

#endif

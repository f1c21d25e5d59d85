// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Hides the differences between the supported versions of LLVM that no common
/// interface covers.
#ifndef ARCLINE_COMPAT_H
#define ARCLINE_COMPAT_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

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

/// LLVM 17 and later accept an inline advisor from a plugin.
#define ARCLINE_HAS_INLINE_ADVISOR (LLVM_VERSION_MAJOR >= 17)

namespace arcline {

/// Turn constant expressions over Constants that instructions use into
/// instructions before their users.
void convertUsersToInstructions(llvm::ArrayRef<llvm::Constant *> Constants);

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
void createLifetimeMark(llvm::IRBuilderBase &Builder,
                        llvm::AllocaInst *Variable, uint64_t NumBytes,
                        bool IsEnd);

/// A branch with a condition. LLVM 23 has two classes, for each kind one.
#if LLVM_VERSION_MAJOR >= 23
using ConditionalBranch = llvm::CondBrInst;
#else
using ConditionalBranch = llvm::BranchInst;
#endif

inline const ConditionalBranch *asConditional(const llvm::Instruction &I) {
  const auto *Branch = llvm::dyn_cast<ConditionalBranch>(&I);
#if LLVM_VERSION_MAJOR < 23
  if (Branch && !Branch->isConditional())
    return nullptr;
#endif
  return Branch;
}

inline ConditionalBranch *asConditional(llvm::Instruction &I) {
  return const_cast<ConditionalBranch *>(
      asConditional(const_cast<const llvm::Instruction &>(I)));
}

/// Is it a branch, with or without a condition?
inline bool isBranch(const llvm::Instruction &I) {
#if LLVM_VERSION_MAJOR >= 23
  return llvm::isa<llvm::UncondBrInst, llvm::CondBrInst>(I);
#else
  return llvm::isa<llvm::BranchInst>(I);
#endif
}

inline bool isUnconditionalBranch(const llvm::Instruction &I) {
  return isBranch(I) && !asConditional(I);
}

/// Does the instruction only use a value, so that debuggers find it there
/// (-fextend-variable-liveness, which -Og of clang 22 has)? It becomes no code.
inline bool isFakeUse([[maybe_unused]] const llvm::Instruction &I) {
#if LLVM_VERSION_MAJOR >= 20
  const auto *Call = llvm::dyn_cast<llvm::IntrinsicInst>(&I);
  return Call && Call->getIntrinsicID() == llvm::Intrinsic::fake_use;
#else
  return false;
#endif
}

/// Make an expander of Evolution's expressions. Names of its values begin with
/// Name.
template <typename Expander, typename Evolution>
Expander createExpander(Evolution &E,
                        [[maybe_unused]] const llvm::DataLayout &Layout,
                        const char *Name) {
#if LLVM_VERSION_MAJOR >= 22
  return Expander(E, Name);
#else
  return Expander(E, Layout, Name);
#endif
}

} // namespace arcline

#endif

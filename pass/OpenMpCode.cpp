// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// clang outlines the code of a directive into functions named
// FUNCTION.omp_outlined or .omp_outlined., and makes helpers for them (entries
// of tasks, reductions, copies), whose names have other suffixes.

#include "OpenMpCode.h"

#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace arcline {

bool isOutlined(const Function &F) {
  const DISubprogram *Program = F.getSubprogram();
  // The function without "_debug__" calls the one with it for the directive.
  const StringRef Name = F.getName();
  return Program && Program->isArtificial() && Name.contains(".omp_outlined") &&
         Name.contains("_debug__");
}

OpenMpCode::OpenMpCode(const Function &F)
    : ThreadNumber(F.getParent()->getFunction("__kmpc_global_thread_num")) {
  const StringRef Name = F.getName();
  const size_t Suffix = Name.rfind(".omp");
  const DISubprogram *Program = F.getSubprogram();
  if (Suffix != StringRef::npos && Program && Program->isArtificial()) {
    IsHelper = !Name.substr(Suffix).starts_with(".omp_outlined");
    FirstLine = Program->getScopeLine();
  }
  if (const Function *Alloc =
          F.getParent()->getFunction("__kmpc_omp_task_alloc"))
    for (const User *U : Alloc->users())
      if (const auto *Call = dyn_cast<CallBase>(U);
          Call && Call->getFunction() == &F && Call->getDebugLoc())
        Tasks.insert(Call->getDebugLoc().getLine());
}

bool OpenMpCode::contains(const Instruction &I) const {
  const DILocation *Location = I.getDebugLoc();
  if (!Location)
    return false;
  // The thread's number is found once, at the entry of the function.
  const auto *Call = dyn_cast<CallBase>(&I);
  if (IsHelper || Location->getLine() < FirstLine ||
      (ThreadNumber && Call && Call->getCalledFunction() == ThreadNumber))
    return true;
  // Variables that a task captures have the location of their use.
  const auto *Scope = dyn_cast<DILexicalBlock>(Location->getScope());
  return Scope && Location->getLine() != Scope->getLine() &&
         Tasks.count(Scope->getLine());
}

} // namespace arcline

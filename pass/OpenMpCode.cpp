// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// clang outlines what a directive controls into functions named
// FUNCTION.omp_outlined or .omp_outlined., and makes helpers for them (entries
// of tasks, reductions, copies), whose names end in other words.

#include "OpenMpCode.h"

#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/InstrTypes.h"

using namespace llvm;

namespace arcline {

static bool isCallOf(const Instruction &I, StringRef Name) {
  const auto *Call = dyn_cast<CallBase>(&I);
  const Function *Callee = Call ? Call->getCalledFunction() : nullptr;
  return Callee && Callee->getName() == Name;
}

OpenMpCode::OpenMpCode(const Function &F) {
  const StringRef Name = F.getName();
  const size_t Suffix = Name.rfind(".omp");
  const DISubprogram *Program = F.getSubprogram();
  if (Suffix != StringRef::npos && Program && Program->isArtificial()) {
    IsHelper = !Name.substr(Suffix).starts_with(".omp_outlined");
    FirstLine = Program->getScopeLine();
  }
  for (const Instruction &I : instructions(F))
    if (I.getDebugLoc() && isCallOf(I, "__kmpc_omp_task_alloc"))
      Tasks.insert(I.getDebugLoc().getLine());
}

bool OpenMpCode::contains(const Instruction &I) const {
  const DILocation *Location = I.getDebugLoc();
  if (!Location)
    return false;
  // The thread's number is found once, at the entry of the function.
  if (IsHelper || Location->getLine() < FirstLine ||
      isCallOf(I, "__kmpc_global_thread_num"))
    return true;
  // What a task takes along has the place of its use.
  const auto *Scope = dyn_cast<DILexicalBlock>(Location->getScope());
  return Scope && Location->getLine() != Scope->getLine() &&
         Tasks.count(Scope->getLine());
}

} // namespace arcline

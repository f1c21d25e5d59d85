// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// clang outlines the code of a directive into functions named
// FUNCTION.omp_outlined, .omp_outlined. or __omp_offloading_*, and makes
// helpers for them (entries of tasks, reductions, copies), whose names have
// other suffixes.

#include "OpenMpCode.h"
#include "Markers.h"

#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace arcline {

bool isOutlined(const Function &F) {
  const DISubprogram *Program = F.getSubprogram();
  StringRef Name = F.getName();
  if (!Program || !Program->isArtificial())
    return false;
  const size_t Suffix = Name.rfind(".omp_outlined");
  if (Suffix != StringRef::npos)
    Name = Name.substr(Suffix);
  else if (!Name.starts_with("__omp_offloading_"))
    return false;
  // The function without "_debug__" calls the one with it for the directive.
  // Those of tasks, which have no line, are alone.
  return Name.contains("_debug__") || Program->getLine() == 0;
}

OpenMpCode::OpenMpCode(const Function &F)
    : Outlined(isOutlined(F) ? F.getSubprogram() : nullptr),
      ThreadNumber(F.getParent()->getFunction("__kmpc_global_thread_num")) {
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
  for (const BasicBlock &Block : F)
    findCaptures(Block);
}

/// Is it where a block begins, in the scope around?
static bool isStartOf(const DILexicalBlock &Block, const DILocation &Location,
                      const DILocalScope *Scope) {
  return Location.getScope() == Scope &&
         Location.getLine() == Block.getLine() &&
         Location.getColumn() == Block.getColumn();
}

/// Before the code of a directive, clang finds the variables that its statement
/// captures: addresses in references, in the record of a task or in a lambda.
/// These loads have the locations of the first uses, which may never run, in
/// the scope of the directive. The code that follows is at the directive, in
/// the scope around, or begins the condition of its clause `if`, which has a
/// scope of its own.
void OpenMpCode::findCaptures(const BasicBlock &Block) {
  const DILocation *After = nullptr;
  const auto PrecedesDirective = [&](const DILexicalBlock &Directive) {
    const auto *Clause = dyn_cast<DILexicalBlock>(After->getScope());
    return isStartOf(Directive, *After, Directive.getScope()) ||
           (Clause && Clause->getScope() == &Directive &&
            isStartOf(*Clause, *After, Clause));
  };
  for (const Instruction &I : reverse(Block)) {
    const DILocation *Location = I.getDebugLoc();
    if (!Location || isMarker(I))
      continue;
    const auto *Scope = dyn_cast<DILexicalBlock>(Location->getScope());
    const bool IsAccess =
        isa<GetElementPtrInst>(I) || (isa<LoadInst>(I) && !I.isVolatile());
    if (IsAccess && After && Scope && Location->getLine() != Scope->getLine() &&
        PrecedesDirective(*Scope))
      Captures.insert(&I);
    else
      After = Location;
  }
}

bool OpenMpCode::isCapture(const Instruction &I) const {
  const DILocation *Location = I.getDebugLoc();
  // A function that was outlined begins with them, where the code begins.
  return Captures.contains(&I) ||
         (Outlined && Location && isa<LoadInst>(I) &&
          I.getType()->isPointerTy() && Location->getScope() == Outlined &&
          Location->getLine() == Outlined->getScopeLine() &&
          I.getParent()->isEntryBlock());
}

bool OpenMpCode::contains(const Instruction &I) const {
  const DILocation *Location = I.getDebugLoc();
  if (!Location)
    return false;
  // The thread's number is found once, at the entry of the function.
  const auto *Call = dyn_cast<CallBase>(&I);
  if (IsHelper || Location->getLine() < FirstLine ||
      (ThreadNumber && Call && Call->getCalledFunction() == ThreadNumber) ||
      Captures.contains(&I))
    return true;
  // Variables that a task captures have the location of their use.
  const auto *Scope = dyn_cast<DILexicalBlock>(Location->getScope());
  return Scope && Location->getLine() != Scope->getLine() &&
         Tasks.count(Scope->getLine());
}

} // namespace arcline

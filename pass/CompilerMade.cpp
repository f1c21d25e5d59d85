// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "CompilerMade.h"

#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace arcline {

bool isRestOfDestructor(const Function &F) {
  StringRef Class = F.getName();
  if (!Class.consume_back("D0Ev"))
    return false;
  for (const char *Variant : {"D1Ev", "D2Ev"}) {
    const GlobalValue *V =
        F.getParent()->getNamedValue((Class + Variant).str());
    const GlobalObject *Object = V ? V->getAliaseeObject() : nullptr;
    if (Object && Object->getName().starts_with(Class))
      return false;
  }
  return true;
}

bool isMadeByCompiler(const Function &F) {
  if (isRestOfDestructor(F))
    return true;
  const DISubprogram *Program = F.getSubprogram();
  if (!Program || !Program->isArtificial())
    return false;
  // Functions with __attribute__((artificial)) are marked, too, but not where
  // their class declares them.
  if (const DISubprogram *InClass = Program->getDeclaration())
    return InClass->isArtificial();
  // -g1 leaves out declarations; without this, no implicit member could be
  // recognised there.
  const DICompileUnit *Unit = Program->getUnit();
  if (Unit && Unit->getEmissionKind() == DICompileUnit::LineTablesOnly &&
      F.getName().starts_with("_Z"))
    return true;
  // Outlined parts have the name of their function and a dot; helpers outside
  // of functions have no line. Those for devices have a name of their own.
  return Program->isThunk() || Program->getLine() == 0 ||
         F.getName().contains('.') ||
         F.getName().starts_with("__omp_offloading_");
}

} // namespace arcline

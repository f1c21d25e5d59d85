// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "SourceLines.h"
#include "UnwindCode.h"

#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace arcline {

SourceLine lineOf(const Function &F, const Instruction &I) {
  const DISubprogram *Program = F.getSubprogram();
  const DILocation *Location = I.getDebugLoc();
  if (!Program || !Location || Location->getInlinedAt())
    return {nullptr, 0};
  // Functions that the language adds (implicit constructors and destructors)
  // stand where their class does, and which of them exist depends on the -O
  // level; but there are initial values of members in them.
  if (Program->isArtificial() && Location->getLine() == Program->getLine() &&
      Location->getFile() == Program->getFile())
    return {nullptr, 0};
  return {Location->getFile(), Location->getLine()};
}

static void addLine(SmallVectorImpl<SourceLine> &Lines, SourceLine At) {
  if (At.Line && (Lines.empty() || !(Lines.back() == At)))
    Lines.push_back(At);
}

void collectLines(FlowGraph &Graph) {
  const DISubprogram *Program = Graph.Func.getSubprogram();
  if (!Program)
    return;
  if (Graph.Definition.Line && !Program->isArtificial())
    Graph.Nodes[0].Lines.push_back(Graph.Definition);
  Graph.Nodes[0].CodeLines = Graph.Nodes[0].Lines;
  const UnwindCode Unwinding(Graph.Func);
  for (FlowNode &Node : Graph.Nodes) {
    // Where unwinding goes on, clang leaves the location of some call.
    if (isa<ResumeInst>(Node.Last))
      continue;
    for (Instruction *I = Node.First;; I = I->getNextNode()) {
      const DILocation *Location = I->getDebugLoc();
      // Lifetime markers stand at closing braces, and only when optimising.
      bool IsCode = !I->isDebugOrPseudoInst() && !I->isLifetimeStartOrEnd();
      addLine(Node.Lines, Unwinding.catchAt(*I));
      if (Location && IsCode && !Location->isImplicitCode()) {
        const SourceLine At = lineOf(Graph.Func, *I);
        addLine(Node.CodeLines, At);
        if (!Unwinding.contains(*I))
          addLine(Node.Lines, At);
      }
      if (I == Node.Last)
        break;
    }
  }
}

} // namespace arcline

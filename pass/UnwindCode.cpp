// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "UnwindCode.h"
#include "Compat.h"
#include "Markers.h"
#include "SourceText.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace arcline {

/// Is all code of cleanups made by the compiler? In other languages they may be
/// statements (Objective-C's @finally).
static bool hasCompilersCleanups(const Function &F) {
  if (!F.hasPersonalityFn())
    return false;
  const StringRef Name = F.getPersonalityFn()->stripPointerCasts()->getName();
  return Name.starts_with("__gxx_") || // C++
         Name.starts_with("__gcc_");   // C: __attribute__((cleanup))
}

static bool isCallOf(const Instruction &I, StringRef Name) {
  const auto *Call = dyn_cast<CallBase>(&I);
  const Function *Callee = Call ? Call->getCalledFunction() : nullptr;
  return Callee && Callee->getName() == Name;
}

bool beginsHandler(const Instruction &I) {
  return isCallOf(I, "__cxa_begin_catch");
}

/// Add the blocks that a block leads to without an exception.
static void followNormalWays(const BasicBlock &Start,
                             SmallPtrSetImpl<const BasicBlock *> &Normal) {
  SmallVector<const BasicBlock *, 32> Left = {&Start};
  while (!Left.empty()) {
    const BasicBlock *Block = Left.pop_back_val();
    if (!Normal.insert(Block).second)
      continue;
    for (const BasicBlock *Next : successors(Block))
      if (!Next->isEHPad())
        Left.push_back(Next);
  }
}

UnwindCode::UnwindCode(Function &F, SourceText &Text) {
  if (!hasCompilersCleanups(F))
    return;
  SmallPtrSet<const BasicBlock *, 32> Normal;
  // Unreachable code is part of the source, too.
  for (const BasicBlock &Block : F)
    if (pred_empty(&Block) && !Block.isEHPad())
      followNormalWays(Block, Normal);
  SmallVector<Instruction *, 8> Begins;
  for (BasicBlock &Block : F) {
    const auto Begin = find_if(Block, beginsHandler);
    if (Begin != Block.end() && !Normal.contains(&Block))
      Begins.push_back(&*Begin);
  }
  for (const Instruction *Begin : Begins)
    followNormalWays(*Begin->getParent(), Normal);

  SmallVector<const BasicBlock *, 32> Left;
  for (const BasicBlock &Block : F)
    if (Block.isEHPad())
      Left.push_back(&Block);
  while (!Left.empty()) {
    const BasicBlock *Block = Left.pop_back_val();
    if (!Normal.contains(Block) && Blocks.insert(Block).second)
      append_range(Left, successors(Block));
  }
  for (Instruction *Begin : Begins)
    visitHandler(*Begin, Text);
}

/// The location in a handler at which the lifetime of its exception ends.
static const DILocation *endOf(const Instruction &Begin) {
  SmallVector<const Instruction *, 8> Left = {Begin.getNextNode()};
  SmallPtrSet<const BasicBlock *, 16> Seen;
  while (!Left.empty()) {
    const Instruction *I = Left.pop_back_val();
    const BasicBlock *Block = I->getParent();
    // A catch within this handler ends on its own.
    while (I && !beginsHandler(*I) && !isCallOf(*I, "__cxa_end_catch"))
      I = I->getNextNode();
    if (I && !beginsHandler(*I))
      return I->getDebugLoc();
    if (I)
      continue;
    for (const BasicBlock *Next : successors(Block))
      if (Seen.insert(Next).second)
        Left.push_back(&Next->front());
  }
  return nullptr;
}

/// Of two handlers, clang compiles the last one first, so that the first one
/// begins at the end of that. Its own line is that of the variable, or of the
/// brace after it.
void UnwindCode::visitHandler(Instruction &Begin, SourceText &Text) {
  SourceLine At = {nullptr, 0};
  if (const DILocation *End = endOf(Begin)) {
    if (const auto *Body = dyn_cast<DILexicalBlock>(End->getScope()))
      At = {Body->getFile(), Body->getLine()};
    else // no -g, or -g1
      At = {End->getFile(), Text.catchAround(*End)};
  }
  for (Instruction &I : *Begin.getParent()) {
    forEachDeclaration(I, [&](auto &Declare) {
      if (const DILocation *Location = Declare.getDebugLoc())
        At = {Location->getFile(), Location->getLine()};
    });
    InHandlers.insert(&I);
    if (&I == &Begin)
      break;
  }
  // Otherwise no better location is known.
  if (At.Line)
    Catches[&Begin] = At;
  // The variable gets its value.
  for (const Instruction *I = Begin.getNextNode(); I && haveOnePlace(*I, Begin);
       I = I->getNextNode())
    InHandlers.insert(I);
}

} // namespace arcline

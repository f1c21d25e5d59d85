// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `break;` at the end of a scope with an object is the call of its destructor,
// and a return of a literal, of a variable that is the result itself, or of an
// address such as `this`, is nothing but the function's return. The text before
// the brace has the line.

#include "ReducedJumps.h"
#include "CompilerBranches.h"
#include "Markers.h"
#include "SourceText.h"
#include "UnwindCode.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace arcline {

/// Does a return have a value that is the function's result already, in the
/// memory of the caller or in a local variable, or that is an object without
/// data? With -Og, clang keeps no code of such a statement.
static bool returnsResult(const Instruction &I, StringRef Value) {
  const auto *Return = dyn_cast<ReturnInst>(&I);
  if (!Return || Value.empty())
    return false;
  const Function &F = *Return->getFunction();
  const bool IsName = !isDigit(Value.front()) && all_of(Value, [](char C) {
    return isAlnum(C) || C == '_';
  });
  if (!Return->getReturnValue()) {
    const auto Types = F.getSubprogram()->getType()->getTypeArray();
    const bool IsInMemory = any_of(
        F.args(), [](const Argument &A) { return A.hasStructRetAttr(); });
    return Types.size() > 0 && Types[0] /* void is null */ &&
           (IsName || !IsInMemory);
  }
  const auto *Load = dyn_cast<LoadInst>(Return->getReturnValue());
  return Load && haveOnePlace(*Load, *Return) && IsName &&
         isa<AllocaInst>(
             Load->getPointerOperand()->stripInBoundsConstantOffsets());
}

/// Does a return have the value of a literal?
static bool returns(const Instruction &I, StringRef Literal) {
  const auto *Return = dyn_cast<ReturnInst>(&I);
  if (!Return)
    return false;
  const Value *Result = Return->getReturnValue();
  if (const auto *Number = dyn_cast_or_null<ConstantInt>(Result)) {
    int64_t Wanted;
    if (Literal == "true" || Literal == "false")
      return Number->isZero() == (Literal == "false");
    return Number->getBitWidth() <= 64 && !Literal.getAsInteger(0, Wanted) &&
           (Number->getSExtValue() == Wanted ||
            Number->getZExtValue() == uint64_t(Wanted));
  }
  if (isa_and_nonnull<ConstantPointerNull>(Result))
    return Literal == "nullptr" || Literal == "NULL" || Literal == "0";
  return !Result && Literal.empty();
}

/// Is a constant the text of a literal without escapes, in quotes?
static bool isString(const Constant &Initial, StringRef Literal) {
  if (!Literal.consume_front("\"") || !Literal.consume_back("\""))
    return false;
  const auto *Data = dyn_cast<ConstantDataArray>(&Initial);
  return Data ? Data->isCString() && Data->getAsCString() == Literal
              : Initial.isNullValue() && Literal.empty();
}

/// Does a return have an address that needs no code: that of the object itself,
/// of a variable that is not on the stack, or of a string?
static bool returnsAddress(const Instruction &I, StringRef Written) {
  const auto *Return = dyn_cast<ReturnInst>(&I);
  const Value *Result = Return ? Return->getReturnValue() : nullptr;
  if (const auto *This = dyn_cast_or_null<LoadInst>(Result))
    return (Written == "this" || Written == "*this") && !This->getDebugLoc() &&
           isa<AllocaInst>(This->getPointerOperand());
  const auto *Variable = dyn_cast_or_null<GlobalVariable>(Result);
  if (!Variable)
    return false;
  if (Variable->hasPrivateLinkage())
    return Variable->hasInitializer() &&
           isString(*Variable->getInitializer(), Written);
  SmallVector<DIGlobalVariableExpression *, 1> Names;
  Variable->getDebugInfo(Names);
  Written.consume_front("&");
  return any_of(Names, [&](const DIGlobalVariableExpression *Name) {
    return Name->getVariable()->getName() == Written;
  });
}

/// Do several ways to the end of a scope meet at a block? Each has a branch of
/// its own and stores its target. A jump of the source that has none is dead.
static bool joinsJumps(const BasicBlock &Block, const CompilerBranches &Made) {
  return any_of(predecessors(&Block), [&](const BasicBlock *Before) {
    const Instruction *Last = Before->getTerminator()->getPrevNode();
    return Last && isa<StoreInst>(Last) && Made.endsScope(*Last);
  });
}

/// Do several returns meet at a block? Each has a branch of its own, too.
static bool joinsReturns(const BasicBlock &Block, SourceText &Text) {
  return any_of(predecessors(&Block), [&](const BasicBlock *Before) {
    const Instruction *Last = Before->getTerminator();
    const DILocation *Location = Last->getDebugLoc();
    return Location && Last->getNumSuccessors() == 1 &&
           Text.at(*Location).starts_with("return");
  });
}

/// Is a return on a line dead? Clang emits the function's return where the only
/// other one is, so the blocks that follow are between the two: those of calls
/// that do not return.
static bool isDead(const Instruction &I, unsigned Line,
                   const UnwindCode &Unwinding) {
  const BasicBlock &Block = *I.getParent();
  return any_of(
      make_range(std::next(Block.getIterator()), Block.getParent()->end()),
      [&](const BasicBlock &Next) {
        const DILocation *Location = Next.getTerminator()->getDebugLoc();
        return Location && isa<UnreachableInst>(Next.getTerminator()) &&
               !Unwinding.contains(*Next.getTerminator()) &&
               Location->getFile() == I.getDebugLoc()->getFile() &&
               Location->getLine() < Line;
      });
}

SourceLine lineOfReducedJump(const Instruction &I, SourceText &Text,
                             const UnwindCode &Unwinding,
                             const CompilerBranches &Made) {
  const DILocation *Location = I.getDebugLoc();
  const bool IsCall = isa<CallBase>(I) && Made.endsScope(I);
  if (!Location || Unwinding.contains(I) || !(IsCall || isa<ReturnInst>(I)) ||
      !Text.at(*Location).starts_with("}") ||
      (IsCall && joinsJumps(*I.getParent(), Made)) ||
      joinsReturns(*I.getParent(), Text))
    return {nullptr, 0};
  auto [Jump, Line] = Text.jumpBefore(*Location);
  const Instruction &Return = *I.getParent()->getTerminator();
  // Any other value would have code.
  if (Jump.consume_front("return")
          ? (!returns(Return, Jump.trim()) &&
             !returnsResult(Return, Jump.trim(" \t()")) &&
             !returnsAddress(Return, Jump.trim(" \t()"))) ||
                isDead(I, Line, Unwinding)
          : !IsCall)
    return {nullptr, 0};
  return {Location->getFile(), Line};
}

} // namespace arcline

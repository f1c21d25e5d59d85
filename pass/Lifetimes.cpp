// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A variable of a block may be used, through escaped pointers, until control
// leaves the block. The debug information identifies the block and its
// instructions. So a variable is live from its declaration to the last such
// instruction that control can reach without passing the declaration again.
// This applies also to variables of blocks within it, whose last use may follow
// the end of the block (attribute cleanup).
//
// In C++ a destructor of a temporary whose lifetime a block's reference extends
// has a location outside of the block, and may use variables of the block. Such
// an object has no declaration, so destructors of undeclared objects need all
// variables. Other languages have other rules.

#include "Lifetimes.h"
#include "Compat.h"
#include "Counters.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/BinaryFormat/Dwarf.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/PromoteMemToReg.h"

#include <algorithm>
#include <type_traits>
#include <vector>

using namespace llvm;

namespace arcline {

namespace {

using Block = const DILocalScope *; // of the source

/// A local variable, or what the front end made of one.
struct Local {
  AllocaInst *Variable = nullptr;
  Block Scope = nullptr;
  Instruction *Declared = nullptr; // the declaration is before it
  unsigned NumDeclarations = 0;
  SmallVector<Instruction *, 8> Uses;
};

class Lifetimes {
public:
  explicit Lifetimes(Function &F) : F(F), Dominators(F) {}

  /// Find all variables. Returns false if their lifetimes cannot be determined.
  bool findLocals();
  void markAll();

private:
  void note(Value *Address, const DILocalVariable *Variable, bool IsWhole,
            Instruction &At);
  void collectUses(Local &L);
  void findTemporaries();
  bool isWithin(Block Inner, Block Outer) const;
  bool mayMark(const Local &L) const;
  void findLive(const Local &L);
  void mark(const Local &L);
  uint64_t bytesOf(const Local &L) const;

  Function &F;
  DominatorTree Dominators;
  MapVector<AllocaInst *, Local> Locals;
  DenseMap<const Instruction *, SmallVector<Block, 2>> Blocks; // it belongs to
  // Destructors of what is not declared, or constructors.
  SmallVector<const Instruction *, 8> OfTemporaries;
  size_t NumInstructions = 0;
  // Of the current variable:
  SmallPtrSet<const Instruction *, 32> Needing;
  SmallPtrSet<const BasicBlock *, 32> LiveIn, Reached;
};

} // namespace

static bool isCOrCxx(const Function &F) {
  const DISubprogram *Program = F.getSubprogram();
  if (!Program || !Program->getUnit())
    return false;
  const unsigned Language = [](auto Name) -> unsigned {
    if constexpr (std::is_integral_v<decltype(Name)>)
      return Name;
    else
      return Name.getName();
  }(Program->getUnit()->getSourceLanguage());
  // dwarf::isC() treats unknown numbers as impossible.
  switch (Language) {
  case dwarf::DW_LANG_C89:
  case dwarf::DW_LANG_C:
  case dwarf::DW_LANG_C99:
  case dwarf::DW_LANG_C11:
  case dwarf::DW_LANG_C17:
  case dwarf::DW_LANG_C_plus_plus:
  case dwarf::DW_LANG_C_plus_plus_03:
  case dwarf::DW_LANG_C_plus_plus_11:
  case dwarf::DW_LANG_C_plus_plus_14:
  case dwarf::DW_LANG_C_plus_plus_17:
  case dwarf::DW_LANG_C_plus_plus_20:
    return true;
  default:
    return false;
  }
}

void Lifetimes::note(Value *Address, const DILocalVariable *Variable,
                     bool IsWhole, Instruction &At) {
  auto *Alloca = dyn_cast_or_null<AllocaInst>(Address);
  if (!Alloca)
    return;
  Local &L = Locals[Alloca];
  L.Variable = Alloca;
  L.Scope = Variable->getScope()->getNonLexicalBlockFileScope();
  L.Declared = &At;
  L.NumDeclarations += IsWhole ? 1 : 2;
}

/// May I use a variable although it has no visible use of its address? Jumps do
/// not: otherwise paths that join would keep variables apart that could share a
/// slot.
static bool mayUsePointer(const Instruction &I) {
  return !I.isDebugOrPseudoInst() && I.mayReadOrWriteMemory() &&
         !isa_and_nonnull<AllocaInst>(getLoadStorePointerOperand(&I));
}

bool Lifetimes::findLocals() {
  for (BasicBlock &Code : F) {
    if (Code.getTerminatingMustTailCall())
      return false;
    for (Instruction &I : Code) {
      const DILocation *At = I.getDebugLoc();
      // The optimiser has run already, or the front end has inserted markers
      // itself.
      if (I.isLifetimeStartOrEnd() || (At && At->getInlinedAt()))
        return false;
      // Counters at the beginning of blocks are before declarations there, and
      // use no variable.
      if (At && mayUsePointer(I) && !isCounterUpdate(I))
        Blocks[&I].push_back(At->getScope()->getNonLexicalBlockFileScope());
      ++NumInstructions;
      forEachDeclaration(I, [&](auto &Declare) {
        note(Declare.getAddress(), Declare.getVariable(),
             Declare.getExpression()->getNumElements() == 0, I);
      });
    }
  }
  for (auto &[Alloca, L] : Locals)
    collectUses(L);
  findTemporaries();
  return true;
}

static bool isConstructorOrDestructor(const GlobalValue &F) {
  // Most names differ before they are demangled.
  if (!F.getName().starts_with("_ZN") && !F.getName().starts_with("_ZZ"))
    return false;
  ItaniumPartialDemangler Name;
  return Name.partialDemangle(F.getName().str().c_str()) || Name.isCtorOrDtor();
}

void Lifetimes::findTemporaries() {
  for (const BasicBlock &Code : F)
    for (const Instruction &I : Code) {
      const auto *Call = dyn_cast<CallBase>(&I);
      if (!Call || Call->arg_empty())
        continue;
      // One of several kinds may be an alias of another.
      const auto *Callee = dyn_cast<GlobalValue>(Call->getCalledOperand());
      if (!Callee || !isConstructorOrDestructor(*Callee))
        continue;
      const auto *Object = dyn_cast<AllocaInst>(
          Call->getArgOperand(0)->stripInBoundsConstantOffsets());
      if (!Object || !Locals.count(const_cast<AllocaInst *>(Object)))
        OfTemporaries.push_back(&I);
    }
}

void Lifetimes::collectUses(Local &L) {
  SmallVector<Instruction *, 8> Pointers = {L.Variable};
  SmallPtrSet<Instruction *, 16> Seen;
  while (!Pointers.empty())
    for (User *U : Pointers.pop_back_val()->users()) {
      auto *I = cast<Instruction>(U);
      if (I->isDebugOrPseudoInst() || !Seen.insert(I).second)
        continue;
      L.Uses.push_back(I);
      Blocks[I].push_back(L.Scope);
      if (isa<GetElementPtrInst>(I) || isa<CastInst>(I) || isa<PHINode>(I) ||
          isa<SelectInst>(I))
        Pointers.push_back(I);
    }
}

bool Lifetimes::isWithin(Block Inner, Block Outer) const {
  for (const DIScope *S = Inner; S; S = S->getScope()) {
    if (S == Outer)
      return true;
    if (isa<DISubprogram>(S))
      return false;
  }
  return false;
}

uint64_t Lifetimes::bytesOf(const Local &L) const {
  const auto Bits =
      L.Variable->getAllocationSizeInBits(F.getParent()->getDataLayout());
  return Bits && !Bits->isScalable() ? Bits->getFixedValue() / 8 : 0;
}

bool Lifetimes::mayMark(const Local &L) const {
  if (L.NumDeclarations != 1 || !L.Variable->isStaticAlloca() || !bytesOf(L) ||
      isAllocaPromotable(L.Variable) || isa<DISubprogram>(L.Scope))
    return false;
  // Jumps may skip a declaration.
  return all_of(L.Uses, [&](const Instruction *Use) {
    return Use == L.Declared || Dominators.dominates(L.Declared, Use);
  });
}

/// Find the code at which the variable is live: some later instruction needs
/// it.
void Lifetimes::findLive(const Local &L) {
  Needing.clear();
  LiveIn.clear();
  Reached.clear();
  DenseMap<Block, bool> Within;
  for (const auto &[I, Of] : Blocks)
    for (Block B : Of) {
      auto [Entry, IsNew] = Within.try_emplace(B, false);
      if (IsNew)
        Entry->second = isWithin(B, L.Scope);
      if (Entry->second)
        Needing.insert(I);
    }
  Needing.insert(OfTemporaries.begin(), OfTemporaries.end());
  const BasicBlock *const Home = L.Declared->getParent();
  SmallVector<const BasicBlock *, 16> Work;
  for (const BasicBlock &Code : F)
    for (const Instruction &I : Code) {
      if (&I == L.Declared)
        break;
      if (Needing.contains(&I)) {
        if (LiveIn.insert(&Code).second)
          Work.push_back(&Code);
        break;
      }
    }
  while (!Work.empty())
    for (const BasicBlock *Before : predecessors(Work.pop_back_val()))
      if (Before != Home && LiveIn.insert(Before).second)
        Work.push_back(Before);
  Reached.insert(Home);
  Work.push_back(Home);
  while (!Work.empty())
    for (const BasicBlock *Next : successors(Work.pop_back_val()))
      if (Reached.insert(Next).second)
        Work.push_back(Next);
}

void Lifetimes::mark(const Local &L) {
  findLive(L);
  SmallVector<Instruction *, 8> Ends; // before these
  SmallPtrSet<BasicBlock *, 8> EndsAtBegin;
  for (BasicBlock &Code : F) {
    if (!Reached.contains(&Code))
      continue;
    bool IsLive = any_of(successors(&Code), [&](const BasicBlock *Next) {
      return LiveIn.contains(Next);
    });
    const Instruction *Terminator = Code.getTerminator();
    if (IsLive || Needing.contains(Terminator) ||
        (&Code == L.Declared->getParent() && Terminator == L.Declared)) {
      IsLive = true;
      for (BasicBlock *Next : successors(&Code))
        if (!LiveIn.contains(Next))
          EndsAtBegin.insert(Next);
    }
    for (Instruction &I : reverse(Code)) {
      if (!IsLive && Needing.contains(&I)) {
        Ends.push_back(I.getNextNode());
        break;
      }
      if (IsLive || &I == L.Declared)
        break;
    }
  }
  for (BasicBlock *Code : EndsAtBegin)
    if (Code->getFirstInsertionPt() != Code->end())
      Ends.push_back(&*Code->getFirstInsertionPt());

  auto Insert = [&](Instruction *Before, bool IsEnd) {
    IRBuilder<> Builder(Before);
    Builder.SetCurrentDebugLocation(DebugLoc());
    createLifetimeMark(Builder, L.Variable, bytesOf(L), IsEnd);
  };
  // Those at the declaration's own place come before it.
  for (Instruction *Before : Ends)
    Insert(Before, true);
  Insert(L.Declared, false);
}

void Lifetimes::markAll() {
  std::vector<Local *> Chosen;
  for (auto &[Alloca, L] : Locals)
    if (mayMark(L))
      Chosen.push_back(&L);
  if (Chosen.size() < 2)
    return; // with whom to share
  // The largest first, as far as it does not take long.
  std::stable_sort(Chosen.begin(), Chosen.end(),
                   [&](const Local *A, const Local *B) {
                     return bytesOf(*A) > bytesOf(*B);
                   });
  constexpr size_t MaxSteps = 4'000'000;
  const size_t Max = MaxSteps / (NumInstructions + 1) + 1;
  if (Chosen.size() > Max)
    Chosen.resize(Max);
  for (const Local *L : Chosen)
    mark(*L);
}

void markLifetimes(Function &F) {
  // Regions of OpenMP are functions of their own, with blocks of their parents.
  if (F.isDeclaration() || F.hasOptNone() || !isCOrCxx(F) ||
      F.callsFunctionThatReturnsTwice() || F.isPresplitCoroutine() ||
      F.getParent()->getModuleFlag("openmp"))
    return;
  Lifetimes All(F);
  if (All.findLocals())
    All.markAll();
}

} // namespace arcline

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Values have no names if clang discards them, so branches are identified by
// their conditions and successors. Variables of the source are in memory, and
// bool is a byte there: a flag of one bit, and a value that a loop carries in a
// register, are made by the compiler.

#include "CompilerBranches.h"
#include "Compat.h"
#include "Markers.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace arcline {

/// The value that V, a bool, is converted from by one instruction, or null.
static const Value *unconverted(const Value *V, bool &IsOpposite) {
  const Value *Inner;
  if (match(V, m_Not(m_Value(Inner)))) {
    IsOpposite = !IsOpposite;
    return Inner;
  }
  // Through a number, as in __builtin_expect(!!x, 1).
  const auto *Comparison = dyn_cast<ICmpInst>(V);
  if (Comparison && Comparison->isEquality() &&
      match(Comparison->getOperand(0), m_ZExtOrSExt(m_Value(Inner))) &&
      match(Comparison->getOperand(1), m_Zero()) &&
      Inner->getType()->isIntegerTy()) {
    if (match(Inner, m_ZExtOrSExt(m_Value(V))))
      Inner = V;
    if (!Inner->getType()->isIntegerTy(1))
      return nullptr;
    IsOpposite ^= Comparison->getPredicate() == CmpInst::ICMP_EQ;
    return Inner;
  }
  return nullptr;
}

const Value *withoutNot(const Value *V) {
  bool IsOpposite = false;
  while (const Value *Inner = unconverted(V, IsOpposite))
    V = Inner;
  return V;
}

bool isOpposite(const Value *V) {
  bool IsOpposite = false;
  while (const Value *Inner = unconverted(V, IsOpposite))
    V = Inner;
  return IsOpposite;
}

bool isOfCaseRange(const Instruction &I) {
  const ConditionalBranch *Branch =
      asConditional(*I.getParent()->getTerminator());
  const auto *Test =
      Branch ? dyn_cast<ICmpInst>(Branch->getCondition()) : nullptr;
  const Value *Chosen;
  if (!Test || Test->getPredicate() != CmpInst::ICMP_ULE ||
      !isa<ConstantInt>(Test->getOperand(1)) ||
      !match(Test->getOperand(0), m_Sub(m_Value(Chosen), m_ConstantInt())))
    return false;
  return (&I == Branch || &I == Test || &I == Test->getOperand(0)) &&
         any_of(Chosen->users(),
                [](const User *U) { return isa<SwitchInst>(U); });
}

/// The end of the loop that a branch repeats; null if it is no such
/// branch.
static const DILocation *endOfLoop(const Instruction &Branch) {
  const MDNode *Loop = Branch.getMetadata(LLVMContext::MD_loop);
  const DILocation *End = nullptr; // after the start
  for (unsigned Part = 0; Loop && Part != Loop->getNumOperands(); ++Part)
    if (const auto *Location = dyn_cast<DILocation>(Loop->getOperand(Part)))
      End = Location;
  return End;
}

static StringRef calleeName(const Value *V) {
  const auto *Call = dyn_cast<CallBase>(V);
  const auto *Callee =
      Call ? dyn_cast<Function>(Call->getCalledOperand()->stripPointerCasts())
           : nullptr;
  return Callee ? Callee->getName() : "";
}

CompilerBranches::CompilerBranches(const Function &F) {
  for (const BasicBlock &Block : F) {
    if (const DILocation *End = endOfLoop(*Block.getTerminator()))
      LoopEnds.insert(placeOf(*End));
    for (const Instruction &I : Block) {
      forEachVariable(const_cast<Instruction &>(I),
                      [&](const Value *Address, StringRef Name) {
                        if (Address)
                          Names[Address] = Name;
                      });
      if (calleeName(&I).starts_with("__kmpc_for_static_init_"))
        for (const Value *Argument : cast<CallBase>(I).args())
          if (const auto *Variable = dyn_cast<AllocaInst>(Argument))
            Bounds.insert(Variable);
    }
  }
}

bool CompilerBranches::isAtEndOfLoop(const Instruction &I) const {
  const DILocation *Location = I.getDebugLoc();
  return Location && LoopEnds.contains(placeOf(*Location));
}

/// The variable that is loaded, if V is the value of a variable.
static const AllocaInst *loadedVariable(const Value *V) {
  const auto *Load = dyn_cast<LoadInst>(V);
  return Load ? dyn_cast<AllocaInst>(Load->getPointerOperand()) : nullptr;
}

/// Is it the variable in which clang keeps the selector of a landing pad?
static bool isSelectorSlot(const AllocaInst &Variable) {
  return any_of(Variable.users(), [](const User *U) {
    const auto *Store = dyn_cast<StoreInst>(U);
    const auto *Part =
        Store ? dyn_cast<ExtractValueInst>(Store->getValueOperand()) : nullptr;
    return Part && isa<LandingPadInst>(Part->getAggregateOperand());
  });
}

/// Is it the variable in which clang stores the target after a cleanup? Only
/// constants are stored there.
bool CompilerBranches::isCleanupSlot(const AllocaInst &Variable) const {
  if (!Variable.getAllocatedType()->isIntegerTy(32))
    return false;
  for (const User *U : Variable.users()) {
    if (const auto *Store = dyn_cast<StoreInst>(U)) {
      const Value *Stored = Store->getValueOperand();
      // A cleanup in between saves it.
      if (!isa<ConstantInt>(Stored) && loadedVariable(Stored) != &Variable)
        return false;
    } else if (isa<LoadInst>(U)) {
      // Without debug information of variables (-g1), a variable of the source
      // may look like it. clang's own switch has no place in the source.
      if (any_of(U->users(), [](const User *Use) {
            const auto *Switch = dyn_cast<SwitchInst>(Use);
            return Switch && Switch->getDebugLoc();
          }))
        return false;
    } else {
      const auto *I = dyn_cast<Instruction>(U);
      if (!I || !I->isLifetimeStartOrEnd())
        return false;
    }
  }
  return !Names.count(&Variable);
}

bool CompilerBranches::endsScope(const Instruction &I) const {
  if (const auto *Store = dyn_cast<StoreInst>(&I)) {
    const auto *Slot = dyn_cast<AllocaInst>(Store->getPointerOperand());
    return Slot && isa<ConstantInt>(Store->getValueOperand()) &&
           isCleanupSlot(*Slot);
  }
  const StringRef Callee = calleeName(&I);
  if (Callee == "__cxa_end_catch")
    return true;
  return (Callee.ends_with("D1Ev") || Callee.ends_with("D2Ev")) &&
         Names.count(cast<CallBase>(I).getArgOperand(0));
}

static const GlobalVariable *loadedGlobal(const Value *V) {
  const auto *Load = dyn_cast<LoadInst>(V);
  if (!Load)
    return nullptr;
  const Value *Pointer = Load->getPointerOperand();
  if (const auto *Address = dyn_cast<IntrinsicInst>(Pointer);
      Address && Address->getIntrinsicID() == Intrinsic::threadlocal_address)
    Pointer = Address->getArgOperand(0);
  return dyn_cast<GlobalVariable>(Pointer->stripInBoundsConstantOffsets());
}

/// Is V part of the machine's list of arguments, as va_arg reads it?
static bool isOfArgumentList(const Value *V) {
  const auto *Load = dyn_cast<LoadInst>(V);
  const auto *Part =
      Load ? dyn_cast<GetElementPtrInst>(Load->getPointerOperand()) : nullptr;
  const auto *Type =
      Part ? dyn_cast<StructType>(Part->getSourceElementType()) : nullptr;
  return Type && Type->hasName() &&
         (Type->getName() == "struct.__va_list_tag" ||
          Type->getName().ends_with("__va_list"));
}

/// Is V a value on which no branch of the source depends by itself?
static bool isOfCompiler(const Value *V) {
  const StringRef Callee = calleeName(V);
  if (Callee == "__cxa_guard_acquire" || Callee.starts_with("__kmpc_") ||
      Callee.starts_with("llvm.coro.") ||
      Callee.starts_with("llvm.eh.typeid.for") ||
      Callee.starts_with("llvm.type.test") ||
      Callee.starts_with("llvm.public.type.test"))
    return true;
  if (const GlobalVariable *Global = loadedGlobal(V))
    if (Global->getName().starts_with("_ZGV") ||
        Global->getName() == "__tls_guard")
      return true;
  if (const auto *Global = dyn_cast<GlobalVariable>(V->stripInBoundsOffsets()))
    if (Global->getName().starts_with("_ZTV"))
      return true;
  if (const AllocaInst *Variable = loadedVariable(V))
    if (Variable->getAllocatedType()->isIntegerTy(1) ||
        isSelectorSlot(*Variable))
      return true;
  return isOfArgumentList(V);
}

/// Does the condition depend on a value that the compiler made?
static bool testsOwn(const Value *Condition) {
  SmallVector<const Value *, 8> Rest = {Condition};
  while (!Rest.empty()) {
    const Value *V = Rest.pop_back_val();
    if (isOfCompiler(V))
      return true;
    const auto *I = dyn_cast<Instruction>(V);
    if (I && (isa<CmpInst>(I) || isa<CastInst>(I) || isa<BinaryOperator>(I)) &&
        I->getNumOperands() <= 2 && Rest.size() < 8)
      append_range(Rest, I->operands());
  }
  return false;
}

/// Is a pointer to a member function one to a virtual one?
static bool testsForVirtual(const Value *Condition) {
  const Value *Part;
  const auto *Comparison = dyn_cast<ICmpInst>(Condition);
  if (!Comparison || !match(Comparison->getOperand(1), m_Zero()) ||
      !match(Comparison->getOperand(0), m_And(m_Value(Part), m_SpecificInt(1))))
    return false;
  const auto *Member = dyn_cast<ExtractValueInst>(Part);
  if (!Member)
    return false;
  const auto *Type =
      dyn_cast<StructType>(Member->getAggregateOperand()->getType());
  return Type && Type->getNumElements() == 2 &&
         Type->getElementType(0) == Type->getElementType(1);
}

/// Does a variable of OpenMP decide, such as the one that is set if there is
/// any iteration? The head of the loop itself is kept: it is that of the
/// source.
bool CompilerBranches::testsForTurns(const Value *Condition) const {
  const auto *Comparison = dyn_cast<ICmpInst>(Condition);
  if (!Comparison)
    return false;
  bool IsOwn = false;
  SmallVector<const Value *, 8> Rest(Comparison->operands());
  while (!Rest.empty()) {
    const Value *V = Rest.pop_back_val();
    if (const AllocaInst *Variable = loadedVariable(V)) {
      const StringRef Name = Names.lookup(Variable);
      // The loop over pieces of a loop, of which each team runs one.
      if (Name.starts_with(".omp.comb."))
        return true;
      if (!Name.starts_with(".") || Name == ".omp.iv")
        return false;
      IsOwn = true;
    } else if (const auto *I = dyn_cast<BinaryOperator>(V)) {
      append_range(Rest, I->operands());
    } else if (!isa<Constant>(V)) {
      return false;
    }
  }
  return IsOwn;
}

/// Is V the number of a section of OpenMP? clang makes a loop and a switch of
/// sections, over a variable without a name.
bool CompilerBranches::isSection(const Value *V) const {
  const AllocaInst *Variable = Bounds.empty() ? nullptr : loadedVariable(V);
  if (!Variable)
    return false;
  bool IsCompared = false, IsSwitched = false;
  for (const User *Load : Variable->users())
    for (const User *U : Load->users()) {
      IsSwitched |= isa<SwitchInst>(U);
      if (const auto *Comparison = dyn_cast<ICmpInst>(U))
        IsCompared |=
            Bounds.contains(loadedVariable(Comparison->getOperand(1)));
    }
  return IsCompared && IsSwitched;
}

bool CompilerBranches::testsForSection(const Value *Condition) const {
  const auto *Comparison = dyn_cast<ICmpInst>(Condition);
  return Comparison && isSection(Comparison->getOperand(0));
}

/// The phi of a loop that is not in the source: its next value is computed from
/// the one before, without memory.
static const PHINode *ownCounter(const BasicBlock &Block) {
  for (const PHINode &Phi : Block.phis())
    for (const Value *Incoming : Phi.incoming_values()) {
      while (const auto *Cast = dyn_cast<CastInst>(Incoming))
        Incoming = Cast->getOperand(0);
      const auto *Step = dyn_cast<Instruction>(Incoming);
      if (Step && (isa<GetElementPtrInst>(Step) || isa<BinaryOperator>(Step)) &&
          Step->getOperand(0) == &Phi)
        return &Phi;
      // A loop that repeats until no other thread has changed the value.
      const auto *Part = dyn_cast<ExtractValueInst>(Incoming);
      if (Part && isa<AtomicCmpXchgInst>(Part->getAggregateOperand()))
        return &Phi;
    }
  return nullptr;
}

bool beginsOwnLoop(const BasicBlock &Block) { return ownCounter(Block); }

/// Is it the branch of such a loop, or the one before it that skips it if there
/// is nothing to do?
static bool isOfOwnLoop(const ConditionalBranch &Branch) {
  for (unsigned S = 0; S != 2; ++S) {
    const BasicBlock *Header = Branch.getSuccessor(S);
    if (ownCounter(*Header))
      return true;
    const BasicBlock *After = Branch.getSuccessor(1 - S);
    Header = Header->getSingleSuccessor();
    const PHINode *Counter = Header ? ownCounter(*Header) : nullptr;
    if (!Counter)
      continue;
    for (const BasicBlock *Latch : Counter->blocks())
      if (is_contained(successors(Latch), After) && Latch != Branch.getParent())
        return true;
  }
  return false;
}

/// Does a value depend on the path from the block to one that both paths lead
/// to? Values of the source come from their own blocks, except for && and ||.
static bool choosesValue(const ConditionalBranch &Branch) {
  for (const BasicBlock *Join : successors(&Branch))
    for (const PHINode &Phi : Join->phis()) {
      const bool IsCleanup =
          any_of(Phi.users(), [](const User *U) { return isa<SwitchInst>(U); });
      if (!Phi.getType()->isIntegerTy(1) && !IsCleanup &&
          Phi.getBasicBlockIndex(Branch.getParent()) >= 0)
        return true;
    }
  return false;
}

static const Instruction *firstCode(const BasicBlock &Block) {
  for (const Instruction &I : Block)
    if (!isa<PHINode>(I) && !isMarker(I))
      return &I;
  return nullptr;
}

/// Does control come from Block to Join without a choice of the source?
static bool leadsTo(const BasicBlock &Block, const BasicBlock &Join) {
  constexpr unsigned MaxBlocks = 16;
  SmallPtrSet<const BasicBlock *, 16> Seen;
  SmallVector<const BasicBlock *, 8> Rest = {&Block};
  while (!Rest.empty() && Seen.size() < MaxBlocks) {
    const BasicBlock *At = Rest.pop_back_val();
    if (At == &Join)
      return true;
    if (!Seen.insert(At).second)
      continue;
    const Instruction *Last = At->getTerminator();
    if (const auto *Invoke = dyn_cast<InvokeInst>(Last))
      Rest.push_back(Invoke->getNormalDest());
    else if (isBranch(*Last))
      append_range(Rest, successors(At));
  }
  return false;
}

/// Is it the null check of delete or dynamic_cast? All of that has one place in
/// the source, check included.
static bool isNullCheck(const ConditionalBranch &Branch) {
  const auto *Check = dyn_cast<ICmpInst>(Branch.getCondition());
  if (!Check || Check->getPredicate() != CmpInst::ICMP_EQ ||
      !isa<ConstantPointerNull>(Check->getOperand(1)))
    return false;
  const BasicBlock *IfNull = Branch.getSuccessor(0);
  const BasicBlock *IfNot = Branch.getSuccessor(1);
  const Instruction *First = firstCode(*IfNot);
  if (!First || !First->getDebugLoc() || !haveOnePlace(*First, *Check))
    return false;
  if (any_of(*IfNot, [](const Instruction &I) {
        return calleeName(&I) == "__dynamic_cast";
      }))
    return true;
  // The branch for null is empty.
  return !IfNull->getSinglePredecessor() && leadsTo(*IfNot, *IfNull);
}

/// Does a successor only report an error, or suspend a coroutine?
static bool leadsToOwn(const ConditionalBranch &Branch) {
  for (const BasicBlock *Successor : successors(&Branch)) {
    for (const Instruction &I : *Successor) {
      const StringRef Callee = calleeName(&I);
      if (Callee == "__cxa_bad_cast" || Callee == "__cxa_bad_typeid" ||
          Callee == "__cxa_throw_bad_array_new_length")
        return true;
    }
    const Instruction *First = firstCode(*Successor);
    if (First && (calleeName(First).starts_with("llvm.coro.save") ||
                  calleeName(First).starts_with("llvm.coro.suspend")))
      return true;
  }
  return false;
}

/// Is it the branch of a failed compare-and-exchange, which stores the value
/// found?
static bool isOfExchange(const ConditionalBranch &Branch) {
  const auto *Part = dyn_cast<ExtractValueInst>(Branch.getCondition());
  if (!Part || !isa<AtomicCmpXchgInst>(Part->getAggregateOperand()))
    return false;
  return any_of(successors(&Branch), [&](const BasicBlock *Successor) {
    const auto *Store = dyn_cast_or_null<StoreInst>(firstCode(*Successor));
    const auto *Found =
        Store ? dyn_cast<ExtractValueInst>(Store->getValueOperand()) : nullptr;
    return Found && Found->getAggregateOperand() == Part->getAggregateOperand();
  });
}

bool CompilerBranches::contains(const ConditionalBranch &Branch) const {
  const Value *Condition = Branch.getCondition();
  if (isa<ConstantInt>(Condition) || isa<UndefValue>(Condition) ||
      Branch.hasMetadata(LLVMContext::MD_nosanitize))
    return true;
  Condition = withoutNot(Condition);
  return testsOwn(Condition) || testsForVirtual(Condition) ||
         testsForTurns(Condition) || testsForSection(Condition) ||
         isOfOwnLoop(Branch) || choosesValue(Branch) || isNullCheck(Branch) ||
         leadsToOwn(Branch) || isOfExchange(Branch);
}

/// Does it choose the ordering of an atomic access?
static bool choosesOrder(const SwitchInst &Switch) {
  return all_of(successors(&Switch), [&](const BasicBlock *Successor) {
    const Instruction *First = firstCode(*Successor);
    return First && First->isAtomic() && haveOnePlace(*First, Switch);
  });
}

bool CompilerBranches::contains(const SwitchInst &Switch) const {
  const Value *Condition = Switch.getCondition();
  if (isa<ConstantInt>(Condition) || isOfCompiler(Condition) ||
      isSection(Condition) || choosesOrder(Switch))
    return true;
  // Promoted, in a coroutine.
  if (isa<PHINode>(Condition) && !Switch.getDebugLoc())
    return true;
  const AllocaInst *Variable = loadedVariable(Condition);
  return Variable &&
         (isCleanupSlot(*Variable) || Names.lookup(Variable).starts_with("."));
}

} // namespace arcline

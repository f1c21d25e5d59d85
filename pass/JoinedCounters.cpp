// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A joined counter is a number of the one array of the module, which has the
// size of a single counter: an access of more bytes than that cannot be one of
// it, which keeps stores and copies removable. Named metadata has the members
// of each, which may be joined counters themselves: the array first, and then a
// node of counters for each number in use.
//
// SimplifyCFG may merge updates at the ends of two branches, with a phi for the
// counter. That of a joined counter has no cell, so the update has to be taken
// apart, however the phi was changed since.

#include "JoinedCounters.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/Local.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace arcline {

static constexpr StringLiteral JoinedMetadata = "arcline.joined";

GlobalVariable *createJoinedCounters(Module &M) {
  GlobalVariable *Array = createCounters(M, std::nullopt, "joined");
  M.getOrInsertNamedMetadata(JoinedMetadata)
      ->addOperand(MDNode::get(M.getContext(), ValueAsMetadata::get(Array)));
  return Array;
}

static GlobalVariable *arrayIn(const NamedMDNode &Joined) {
  return mdconst::extract<GlobalVariable>(Joined.getOperand(0)->getOperand(0));
}

SmallVector<CounterRef, 4> membersOf(CounterRef Counter) {
  SmallVector<CounterRef, 4> Result, Waiting = {Counter};
  while (!Waiting.empty()) {
    const CounterRef Next = Waiting.pop_back_val();
    if (!isOpenEnded(*Next.Counters)) {
      Result.push_back(Next);
      continue;
    }
    const MDNode *Members = Next.Counters->getParent()
                                ->getNamedMetadata(JoinedMetadata)
                                ->getOperand(Next.Index + 1);
    // From the last one, so that the first is taken next.
    for (unsigned I = Members->getNumOperands(); I != 0; I -= 2)
      Waiting.push_back(
          {mdconst::extract<GlobalVariable>(Members->getOperand(I - 2)),
           unsigned(mdconst::extract<ConstantInt>(Members->getOperand(I - 1))
                        ->getZExtValue())});
  }
  return Result;
}

/// Do updates before and after I not belong together? Control may get away at
/// I, or be elsewhere for long: a dump would have the count of what comes after
/// it. Inlining a call would make two blocks, of which each needs its mark.
static bool endsRow(const Instruction &I) {
  if (const auto *Intrinsic = dyn_cast<IntrinsicInst>(&I)) {
    if (Intrinsic->getCalledFunction()->getName().starts_with("llvm.coro."))
      return true;
  } else if (isa<CallBase>(I)) {
    return true;
  }
  return !isGuaranteedToTransferExecutionToSuccessor(&I);
}

/// Make the first update that of all of Row.
static void join(ArrayRef<CounterUpdate> Row, NamedMDNode &Joined) {
  LLVMContext &Context = Joined.getParent()->getContext();
  SmallVector<Metadata *, 8> Operands;
  for (const CounterUpdate &Update : Row) {
    Operands.push_back(ValueAsMetadata::get(Update.Counter.Counters));
    Operands.push_back(ConstantAsMetadata::get(
        ConstantInt::get(Type::getInt32Ty(Context), Update.Counter.Index)));
  }
  const CounterRef Counter = {arrayIn(Joined), Joined.getNumOperands() - 1};
  Joined.addOperand(MDNode::get(Context, Operands));
  setCounter(*Row.front().Instruction, Counter);
  for (const CounterUpdate &Update : Row.drop_front())
    Update.Instruction->eraseFromParent();
}

PreservedAnalyses JoinPass::run(Function &F, FunctionAnalysisManager &) {
  const Module &M = *F.getParent();
  NamedMDNode *Joined = F.getParent()->getNamedMetadata(JoinedMetadata);
  if (!Joined)
    return PreservedAnalyses::all();
  bool Changed = false;
  SmallVector<CounterUpdate, 8> Row;
  for (BasicBlock &Block : F)
    for (Instruction &I : make_early_inc_range(Block)) {
      const auto Update = counterUpdate(I, M.getDataLayout());
      if (Update && Update->isOfEdge())
        Row.push_back(*Update);
      else if (!I.isTerminator() && !endsRow(I))
        continue;
      else {
        if (Row.size() > 1 &&
            Joined->getNumOperands() <= numCounters(*arrayIn(*Joined))) {
          join(Row, *Joined);
          Changed = true;
        }
        Row.clear();
      }
    }
  if (!Changed)
    return PreservedAnalyses::all();
  PreservedAnalyses Preserved;
  Preserved.preserveSet<CFGAnalyses>();
  return Preserved;
}

namespace {

/// An update whose counter depends on how control got there: element Offset +
/// Index of what Pointer points to.
class MergedUpdate {
public:
  explicit MergedUpdate(AtomicRMWInst &Update);

  /// May it be one of a joined counter?
  bool mayBeJoined() const;

  /// Replace it by an update of each counter that it may be of, by 0 unless it
  /// is. Returns false if these are not known.
  bool separate();

private:
  Value *numberOf(Value *V);

  AtomicRMWInst &Update;
  const DataLayout &Layout;
  Value *Pointer;
  Value *Index = nullptr; // null: 0
  uint64_t Offset = 0;
  bool IsKnown;
  SmallSetVector<Constant *, 8> Pointers, Indices; // that these may be
  DenseMap<Value *, Value *> Numbers;
};

} // namespace

/// Add the constants that V may be. Returns false if there are others.
static bool collectCases(Value *V, SmallSetVector<Constant *, 8> &Cases) {
  bool IsComplete = true;
  SmallSetVector<Value *, 8> Seen;
  Seen.insert(V);
  for (unsigned I = 0; I != Seen.size(); ++I) {
    Value *Case = Seen[I];
    if (auto *C = dyn_cast<Constant>(Case))
      Cases.insert(C);
    else if (auto *Phi = dyn_cast<PHINode>(Case))
      Seen.insert(Phi->op_begin(), Phi->op_end());
    else if (auto *Select = dyn_cast<SelectInst>(Case))
      Seen.insert(Select->op_begin() + 1, Select->op_end());
    else
      IsComplete = false;
  }
  return IsComplete;
}

MergedUpdate::MergedUpdate(AtomicRMWInst &Update)
    : Update(Update), Layout(Update.getModule()->getDataLayout()),
      Pointer(Update.getPointerOperand()) {
  auto StripOffset = [&] {
    APInt Bytes(64, 0);
    Pointer = Pointer->stripAndAccumulateConstantOffsets(
        Layout, Bytes, /*AllowNonInbounds=*/true);
    Offset += Bytes.getZExtValue() / 8;
  };
  StripOffset();
  // The form that separateUpdates() gives updates that it cannot separate.
  auto *Address = dyn_cast<GetElementPtrInst>(Pointer);
  if (Address && Address->getNumIndices() == 1 &&
      Address->getSourceElementType()->isIntegerTy(64)) {
    Index = Address->getOperand(1);
    Pointer = Address->getPointerOperand();
    if (Value * Number; match(Index, m_Sub(m_Value(Number), m_One()))) {
      Index = Number;
      Offset -= 1;
    }
    StripOffset();
  }
  IsKnown = collectCases(Pointer, Pointers);
  IsKnown &= !Index || collectCases(Index, Indices);
}

bool MergedUpdate::mayBeJoined() const {
  return any_of(Pointers, [&](const Constant *Case) {
    const auto Counter = counterAt(Case, Layout);
    return Counter && isOpenEnded(*Counter->Counters);
  });
}

/// The number of the case of Pointers that V is at run time.
Value *MergedUpdate::numberOf(Value *V) {
  IntegerType *I64 = Type::getInt64Ty(Update.getContext());
  if (auto *C = dyn_cast<Constant>(V))
    return ConstantInt::get(I64,
                            uint64_t(find(Pointers, C) - Pointers.begin()));
  if (Value *Number = Numbers.lookup(V))
    return Number;
  if (auto *Select = dyn_cast<SelectInst>(V)) {
    Value *IfTrue = numberOf(Select->getTrueValue());
    Value *IfFalse = numberOf(Select->getFalseValue());
    return Numbers[V] = IRBuilder<>(Select).CreateSelect(Select->getCondition(),
                                                         IfTrue, IfFalse);
  }
  auto *Phi = cast<PHINode>(V);
  const unsigned NumCases = Phi->getNumIncomingValues();
  PHINode *Number = IRBuilder<>(Phi).CreatePHI(I64, NumCases);
  Numbers[V] = Number; // the phi may be its own case
  for (unsigned I = 0; I != NumCases; ++I)
    Number->addIncoming(numberOf(Phi->getIncomingValue(I)),
                        Phi->getIncomingBlock(I));
  return Number;
}

bool MergedUpdate::separate() {
  const bool IsSub = Update.getOperation() == AtomicRMWInst::Sub;
  if (!IsKnown || (!IsSub && Update.getOperation() != AtomicRMWInst::Add))
    return false;
  MDNode *AccessTag = Update.getMetadata(LLVMContext::MD_tbaa);
  IRBuilder<> Builder(&Update);
  Value *Zero = Builder.getInt64(0);
  Value *Amount = Update.getValOperand();
  if (IsSub)
    Amount = Builder.CreateNeg(Amount);
  Value *Number = numberOf(Pointer);
  if (!Index)
    Indices.insert(Builder.getInt64(0));
  for (unsigned P = 0; P != Pointers.size(); ++P)
    for (Constant *Case : Indices) {
      auto Counter = counterAt(Pointers[P], Layout);
      const auto *Element = dyn_cast<ConstantInt>(Case);
      if (!Counter || !Element)
        return false;
      Counter->Index += unsigned(Element->getZExtValue() + Offset);
      if (Counter->Index >= numCounters(*Counter->Counters))
        continue; // the index belongs to another array
      Value *IsCase = Builder.CreateICmpEQ(Number, Builder.getInt64(P));
      if (Index)
        IsCase = Builder.CreateAnd(IsCase, Builder.CreateICmpEQ(Index, Case));
      addToCounter(&Update, *Counter,
                   Builder.CreateSelect(IsCase, Amount, Zero), AccessTag);
    }
  Value *Address = Update.getPointerOperand();
  Update.eraseFromParent();
  RecursivelyDeleteTriviallyDeadInstructions(Address);
  return true;
}

static void reportUnknown(const Function &F) {
  F.getContext().emitError(
      "arcline: the optimiser changed counters of `" + F.getName() +
      "' in a way that is not supported; please report it, and compile this "
      "file with ARCLINE_PASS_OPTIONS=promote=off");
}

SmallVector<CounterUpdate, 4> takeApart(const CounterUpdate &Update) {
  AtomicRMWInst *Old = Update.Instruction;
  MDNode *AccessTag = Old->getMetadata(LLVMContext::MD_tbaa);
  SmallVector<CounterUpdate, 4> Result;
  for (const CounterRef Member : membersOf(Update.Counter))
    Result.push_back({Member,
                      addToCounter(Old, Member, Update.Amount, AccessTag),
                      Update.Amount});
  Old->eraseFromParent();
  return Result;
}

void separateMerged(Function &F) {
  const DataLayout &Layout = F.getParent()->getDataLayout();
  separateUpdates(F);
  if (!F.getParent()->getNamedMetadata(JoinedMetadata))
    return;
  SmallVector<AtomicRMWInst *, 0> Merged;
  for (Instruction &I : instructions(F))
    if (isCounterUpdate(I) && !isLeftover(I, Layout) &&
        !counterUpdate(I, Layout))
      Merged.push_back(cast<AtomicRMWInst>(&I));
  for (AtomicRMWInst *Found : Merged)
    if (MergedUpdate Update(*Found); Update.mayBeJoined() && !Update.separate())
      reportUnknown(F);
  for (Instruction &I : make_early_inc_range(instructions(F)))
    if (const auto Update = counterUpdate(I, Layout);
        Update && !Update->isOfEdge() && isOpenEnded(*Update->Counter.Counters))
      takeApart(*Update);
}

void eraseJoinedCounters(Module &M) {
  NamedMDNode *Joined = M.getNamedMetadata(JoinedMetadata);
  if (!Joined)
    return;
  GlobalVariable *Array = arrayIn(*Joined);
  removeFromUsedLists(
      M, [&](Constant *C) { return C->stripPointerCasts() == Array; });
  // Phis without use are left.
  Array->replaceAllUsesWith(PoisonValue::get(Array->getType()));
  Array->eraseFromParent();
  Joined->eraseFromParent();
}

} // namespace arcline

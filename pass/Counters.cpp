// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Counters.h"
#include "Compat.h"
#include "Passes.h"

#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/MD5.h"
#include "llvm/TargetParser/Triple.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;

namespace arcline {

static constexpr StringLiteral ArrayName = "__arcline_counters.";

GlobalVariable *createCounters(Module &M, std::optional<unsigned> Number,
                               StringRef Function) {
  Type *Counter = Type::getInt64Ty(M.getContext());
  Type *Type = Number ? ArrayType::get(Counter, *Number) : Counter;
  auto *Counters =
      new GlobalVariable(M, Type, false, GlobalValue::PrivateLinkage,
                         Constant::getNullValue(Type), ArrayName + Function);
  Counters->setAlignment(Align(8));
  Counters->setExternallyInitialized(true); // for asCounters()
  return Counters;
}

/// The root of the tree of types that the front end's tags belong to: tags of
/// different trees are unrelated.
static MDNode *typeRoot(Module &M) {
  for (const Function &F : M) {
    if (F.hasOptNone())
      continue; // the front end makes no tags there
    for (const BasicBlock &Block : F)
      for (const Instruction &I : Block) {
        const MDNode *Tag = I.getMetadata(LLVMContext::MD_tbaa);
        if (!Tag || Tag->getNumOperands() < 3)
          continue;
        // Operand 1 is the type accessed; a type's is the type above it.
        auto *Node = dyn_cast_or_null<MDNode>(Tag->getOperand(1).get());
        while (Node && Node->getNumOperands() >= 2 &&
               isa<MDString>(Node->getOperand(0)))
          Node = dyn_cast_or_null<MDNode>(Node->getOperand(1).get());
        return Node && Node->getNumOperands() == 1 ? Node : nullptr;
      }
  }
  return nullptr;
}

MDNode *counterAccessTag(Module &M) {
  MDNode *Root = typeRoot(M);
  if (!Root)
    return nullptr;
  MDBuilder Builder(M.getContext());
  MDNode *Type = Builder.createTBAAScalarTypeNode("arcline counter", Root);
  return Builder.createTBAAStructTagNode(Type, Type, 0);
}

bool isOpenEnded(const GlobalVariable &Counters) {
  return !Counters.getValueType()->isArrayTy();
}

unsigned numCounters(const GlobalVariable &Counters) {
  constexpr unsigned Most = 1u << 30;
  return isOpenEnded(Counters)
             ? Most
             : unsigned(Counters.getValueType()->getArrayNumElements());
}

/// An array of createCounters(), or null. It is known by a property that no
/// other private variable has, since names take a search each.
static const GlobalVariable *asCounters(const Value *V) {
  const auto *Array = dyn_cast<GlobalVariable>(V);
  return Array && Array->hasPrivateLinkage() && Array->isExternallyInitialized()
             ? Array
             : nullptr;
}

Value *addressOf(CounterRef Counter) {
  LLVMContext &Context = Counter.Counters->getContext();
  return ConstantExpr::getInBoundsGetElementPtr(
      Type::getInt64Ty(Context), Counter.Counters,
      ConstantInt::get(Type::getInt64Ty(Context), Counter.Index));
}

std::optional<CounterRef> counterAt(const Value *Pointer,
                                    const DataLayout &Layout) {
  APInt Offset(Layout.getIndexTypeSizeInBits(Pointer->getType()), 0);
  const GlobalVariable *Array =
      asCounters(Pointer->stripAndAccumulateConstantOffsets(
          Layout, Offset, /*AllowNonInbounds=*/true));
  if (!Array)
    return std::nullopt;
  const uint64_t Bytes = Offset.getZExtValue();
  const uint64_t Index = Bytes / 8;
  if (Bytes % 8 || Index >= numCounters(*Array))
    return std::nullopt;
  return CounterRef{const_cast<GlobalVariable *>(Array), unsigned(Index)};
}

static constexpr StringLiteral ScopePrefix = "arcline.";

/// Adjacent counters have different ones, and functions that are inlined into
/// one hardly have the same.
static SyncScope::ID scopeOf(CounterRef Counter, LLVMContext &Context) {
  constexpr unsigned NumScopes = 128; // a context can distinguish 256
  const uint64_t First = MD5Hash(Counter.Counters->getName());
  return Context.getOrInsertSyncScopeID(
      (ScopePrefix + Twine((First + Counter.Index) % NumScopes)).str());
}

/// Returns the value of the first form.
static ConstantInt *numberOf(CounterRef Counter) {
  return ConstantInt::get(Type::getInt64Ty(Counter.Counters->getContext()),
                          uint64_t(Counter.Index) + 1);
}

AtomicRMWInst *addToCounter(Instruction *Place, CounterRef Counter,
                            Value *Amount, MDNode *AccessTag) {
  IRBuilder<> Builder(Place);
  // The counter is for the code that follows; a label has a line of its own.
  const Instruction *Code = Place;
  while (Code->isDebugOrPseudoInst())
    Code = Code->getNextNode();
  Builder.SetCurrentDebugLocation(Code->getDebugLoc());
  const auto *Number = dyn_cast<ConstantInt>(Amount);
  const SyncScope::ID Scope = scopeOf(Counter, Place->getContext());
  AtomicRMWInst *Update =
      Number && Number->isOne()
          ? Builder.CreateAtomicRMW(AtomicRMWInst::Nand, Counter.Counters,
                                    numberOf(Counter), Align(8),
                                    AtomicOrdering::Monotonic, Scope)
          : Builder.CreateAtomicRMW(AtomicRMWInst::Add, addressOf(Counter),
                                    Amount, Align(8), AtomicOrdering::Monotonic,
                                    Scope);
  Update->setMetadata(LLVMContext::MD_tbaa, AccessTag);
  return Update;
}

void setCounter(AtomicRMWInst &Update, CounterRef Counter) {
  Update.setOperand(0, Counter.Counters);
  Update.setOperand(1, numberOf(Counter));
}

bool CounterUpdate::isOfEdge() const {
  return Instruction->getOperation() == AtomicRMWInst::Nand;
}

bool isCounterUpdate(const Instruction &I) {
  const auto *Update = dyn_cast<AtomicRMWInst>(&I);
  if (!Update || Update->getSyncScopeID() <= SyncScope::System)
    return false;
  // The scope alone would be enough, but its name requires a list of all names,
  // and each update is visited again for each call of its function.
  if (asCounters(Update->getPointerOperand()->stripInBoundsConstantOffsets()))
    return true;
  SmallVector<StringRef, 8> Names;
  I.getContext().getSyncScopeNames(Names);
  return Names[Update->getSyncScopeID()].starts_with(ScopePrefix);
}

std::optional<CounterUpdate> counterUpdate(Instruction &I,
                                           const DataLayout &Layout) {
  auto *Update = dyn_cast<AtomicRMWInst>(&I);
  if (Update && Update->getOperation() == AtomicRMWInst::Nand) {
    const GlobalVariable *Array = asCounters(Update->getPointerOperand());
    const auto *Number = dyn_cast<ConstantInt>(Update->getValOperand());
    if (!Array || !Number || Number->getZExtValue() - 1 >= numCounters(*Array))
      return std::nullopt;
    return CounterUpdate{{const_cast<GlobalVariable *>(Array),
                          unsigned(Number->getZExtValue() - 1)},
                         Update,
                         ConstantInt::get(Number->getType(), 1)};
  }
  if (!Update || Update->getOperation() != AtomicRMWInst::Add)
    return std::nullopt;
  std::optional<CounterRef> Counter =
      counterAt(Update->getPointerOperand(), Layout);
  if (!Counter)
    return std::nullopt;
  return CounterUpdate{*Counter, Update, Update->getValOperand()};
}

bool isLeftover(const Instruction &I, const DataLayout &Layout) {
  if (const auto *Load = dyn_cast<LoadInst>(&I))
    return Load->use_empty() && counterAt(Load->getPointerOperand(), Layout);
  if (const auto *Update = dyn_cast<AtomicRMWInst>(&I)) {
    const auto *Amount = dyn_cast<ConstantInt>(Update->getValOperand());
    return Update->getOperation() == AtomicRMWInst::Or && Amount &&
           Amount->isZero() && isCounterUpdate(I);
  }
  return false;
}

/// May updates at the ends of the predecessors replace Update? Not if control
/// may not reach it from the beginning of the block.
static bool canMoveToPredecessors(const PHINode &Address,
                                  const AtomicRMWInst &Update) {
  if (Update.getParent() != Address.getParent())
    return false;
  for (const BasicBlock *Block : Address.blocks())
    if (!isUnconditionalBranch(*Block->getTerminator()))
      return false;
  for (const Instruction *I = Update.getPrevNode(); I; I = I->getPrevNode())
    if (!isGuaranteedToTransferExecutionToSuccessor(I))
      return false;
  return true;
}

/// Replace Update by an update of each counter that Address may point to.
/// Returns false if that is impossible.
static bool separate(AtomicRMWInst &Update, Instruction &Address,
                     const DataLayout &Layout) {
  auto *Amount = dyn_cast<ConstantInt>(Update.getValOperand());
  MDNode *AccessTag = Update.getMetadata(LLVMContext::MD_tbaa);
  auto IsCounter = [&](const Value *V) { return counterAt(V, Layout); };
  if (Update.getOperation() != AtomicRMWInst::Add || !Amount)
    return false;
  if (auto *Phi = dyn_cast<PHINode>(&Address)) {
    if (!all_of(Phi->incoming_values(), IsCounter) ||
        !canMoveToPredecessors(*Phi, Update))
      return false;
    for (unsigned I = 0; I != Phi->getNumIncomingValues(); ++I)
      addToCounter(Phi->getIncomingBlock(I)->getTerminator(),
                   *counterAt(Phi->getIncomingValue(I), Layout), Amount,
                   AccessTag);
    return true;
  }
  if (auto *Select = dyn_cast<SelectInst>(&Address)) {
    Value *IfTrue = Select->getTrueValue(), *IfFalse = Select->getFalseValue();
    if (!IsCounter(IfTrue) || !IsCounter(IfFalse))
      return false;
    IRBuilder<> Builder(&Update);
    auto *Zero = ConstantInt::get(Amount->getType(), 0);
    Value *Condition = Select->getCondition();
    Value *ToFirst = Builder.CreateSelect(Condition, Amount, Zero);
    Value *ToSecond = Builder.CreateSelect(Condition, Zero, Amount);
    addToCounter(&Update, *counterAt(IfTrue, Layout), ToFirst, AccessTag);
    addToCounter(&Update, *counterAt(IfFalse, Layout), ToSecond, AccessTag);
    return true;
  }
  return false;
}

/// The address of the counter with a number, of a constant array if both are
/// constant.
static Value *addressAt(IRBuilder<> &Builder, Value *Array, Value *Number) {
  return Builder.CreateInBoundsGEP(
      Builder.getInt64Ty(), Array,
      Builder.CreateSub(Number, Builder.getInt64(1)));
}

/// The constant that V is in the I-th case of Choice, or null.
static Constant *inCase(Value *V, const Instruction &Choice, unsigned I) {
  if (auto *C = dyn_cast<Constant>(V))
    return C;
  if (const auto *Phi = dyn_cast<PHINode>(V);
      Phi && Phi->getParent() == Choice.getParent() && isa<PHINode>(Choice))
    return dyn_cast<Constant>(Phi->getIncomingValueForBlock(
        cast<PHINode>(Choice).getIncomingBlock(I)));
  const auto *Select = dyn_cast<SelectInst>(V);
  const auto *Other = dyn_cast<SelectInst>(&Choice);
  return Select && Other && Select->getCondition() == Other->getCondition()
             ? dyn_cast<Constant>(Select->getOperand(1 + I))
             : nullptr;
}

/// The address of the counter to which Update adds 1, if its array or number
/// is not constant.
static Value *chosenAddress(AtomicRMWInst &Update) {
  Value *Array = Update.getPointerOperand(), *Number = Update.getValOperand();
  auto *Choice = dyn_cast<Instruction>(isa<Constant>(Number) ? Array : Number);
  IRBuilder<> Builder(&Update);
  unsigned NumCases = 0;
  if (const auto *Phi = dyn_cast_or_null<PHINode>(Choice))
    NumCases = Phi->getNumIncomingValues();
  else if (isa_and_nonnull<SelectInst>(Choice))
    NumCases = 2;
  SmallVector<Value *, 4> Cases;
  for (unsigned I = 0; I != NumCases; ++I) {
    Constant *OfArray = inCase(Array, *Choice, I);
    Constant *OfNumber = inCase(Number, *Choice, I);
    if (!OfArray || !OfNumber)
      break;
    Cases.push_back(addressAt(Builder, OfArray, OfNumber));
  }
  if (Cases.empty() || Cases.size() != NumCases)
    return addressAt(Builder, Array, Number);
  if (auto *Select = dyn_cast<SelectInst>(Choice))
    return Builder.CreateSelect(Select->getCondition(), Cases[0], Cases[1]);
  PHINode *Phi = IRBuilder<>(Choice).CreatePHI(Array->getType(), NumCases);
  for (unsigned I = 0; I != NumCases; ++I)
    Phi->addIncoming(Cases[I], cast<PHINode>(Choice)->getIncomingBlock(I));
  return Phi;
}

/// Give an update whose counter is not known the form with an address.
static AtomicRMWInst *withAddress(AtomicRMWInst &Update) {
  if (Update.getOperation() != AtomicRMWInst::Nand)
    return &Update;
  Value *Address = chosenAddress(Update);
  IRBuilder<> Builder(&Update);
  AtomicRMWInst *Result = Builder.CreateAtomicRMW(
      AtomicRMWInst::Add, Address, Builder.getInt64(1), Align(8),
      AtomicOrdering::Monotonic, Update.getSyncScopeID());
  Result->copyMetadata(Update);
  Value *Parts[] = {Update.getPointerOperand(), Update.getValOperand()};
  Update.eraseFromParent();
  for (Value *Part : Parts)
    RecursivelyDeleteTriviallyDeadInstructions(Part);
  return Result;
}

void separateUpdates(Function &F) {
  const DataLayout &Layout = F.getParent()->getDataLayout();
  SmallVector<AtomicRMWInst *, 0> Updates;
  for (BasicBlock &Block : F)
    for (Instruction &I : Block)
      if (isa<AtomicRMWInst>(I) && isCounterUpdate(I) &&
          !(isa<Constant>(I.getOperand(0)) &&
            (isa<Constant>(I.getOperand(1)) ||
             cast<AtomicRMWInst>(I).getOperation() == AtomicRMWInst::Add)))
        Updates.push_back(cast<AtomicRMWInst>(&I));
  for (AtomicRMWInst *Found : Updates) {
    AtomicRMWInst *Update = withAddress(*Found);
    auto *Address = dyn_cast<Instruction>(Update->getPointerOperand());
    if (!Address || !Address->hasOneUse() ||
        !separate(*Update, *Address, Layout))
      continue;
    Update->eraseFromParent();
    Address->eraseFromParent();
  }
}

PlainUpdate makePlain(AtomicRMWInst &Update, Value *Address) {
  IRBuilder<> Builder(&Update);
  LoadInst *Load = hideFromSanitizers(
      Builder.CreateAlignedLoad(Builder.getInt64Ty(), Address, Align(8)));
  Value *Amount = Update.getOperation() == AtomicRMWInst::Nand
                      ? Builder.getInt64(1)
                      : Update.getValOperand();
  // Some versions of LLVM make `sub` of an addition of what is negative.
  Value *Sum = Update.getOperation() == AtomicRMWInst::Sub
                   ? Builder.CreateSub(Load, Amount)
                   : Builder.CreateAdd(Load, Amount);
  StoreInst *Store =
      hideFromSanitizers(Builder.CreateAlignedStore(Sum, Address, Align(8)));
  for (Instruction *Access :
       {static_cast<Instruction *>(Load), static_cast<Instruction *>(Store)})
    Access->setMetadata(LLVMContext::MD_tbaa,
                        Update.getMetadata(LLVMContext::MD_tbaa));
  Update.eraseFromParent();
  return {Load, Store};
}

/// x86-64 has an addition to memory, for which no request is needed.
static bool isAtomic(const Function &F) {
  const Module &M = *F.getParent();
  if (!M.getNamedMetadata(AtomicMetadata))
    return false;
  const Triple Target(M.getTargetTriple());
  StringRef Feature;
  if (Target.isAArch64())
    Feature = "+lse";
  else if (Target.isRISCV())
    Feature = "+a";
  SmallVector<StringRef, 32> Features;
  F.getFnAttribute("target-features").getValueAsString().split(Features, ',');
  return !Feature.empty() && is_contained(Features, Feature);
}

void makeFinal(AtomicRMWInst &Update, Value *Address) {
  if (!isAtomic(*Update.getFunction())) {
    makePlain(Update, Address);
    return;
  }
  IRBuilder<> Builder(&Update);
  Value *Amount = Update.getOperation() == AtomicRMWInst::Nand
                      ? Builder.getInt64(1)
                      : Update.getValOperand();
  const AtomicRMWInst::BinOp Operation =
      Update.getOperation() == AtomicRMWInst::Sub ? AtomicRMWInst::Sub
                                                  : AtomicRMWInst::Add;
  hideFromSanitizers(Builder.CreateAtomicRMW(
                         Operation, Address, Amount, Align(8),
                         AtomicOrdering::Monotonic, SyncScope::SingleThread))
      ->setMetadata(LLVMContext::MD_tbaa,
                    Update.getMetadata(LLVMContext::MD_tbaa));
  Update.eraseFromParent();
}

} // namespace arcline

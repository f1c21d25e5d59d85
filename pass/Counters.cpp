// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Counters.h"

#include "llvm/IR/Constants.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace arcline {

static constexpr StringLiteral ArrayName = "__arcline_counters.";

GlobalVariable *createCounters(Module &M, unsigned Number, StringRef Function) {
  ArrayType *Type = ArrayType::get(Type::getInt64Ty(M.getContext()), Number);
  auto *Counters = new GlobalVariable(
      M, Type, false, GlobalValue::PrivateLinkage,
      ConstantAggregateZero::get(Type), ArrayName + Function);
  Counters->setAlignment(Align(8));
  return Counters;
}

/// The root of the tree of types that the front end's tags belong to: tags of
/// different trees say nothing about each other.
static MDNode *typeRoot(Module &M) {
  for (const Function &F : M)
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

unsigned numCounters(const GlobalVariable &Counters) {
  return Counters.getValueType()->getArrayNumElements();
}

std::optional<CounterRef> counterAt(const Value *Pointer,
                                    const DataLayout &Layout) {
  APInt Offset(Layout.getIndexTypeSizeInBits(Pointer->getType()), 0);
  const auto *Array =
      dyn_cast<GlobalVariable>(Pointer->stripAndAccumulateConstantOffsets(
          Layout, Offset, /*AllowNonInbounds=*/true));
  if (!Array || !Array->hasPrivateLinkage() ||
      !Array->getName().starts_with(ArrayName))
    return std::nullopt;
  const uint64_t Bytes = Offset.getZExtValue();
  const uint64_t Index = Bytes / 8;
  if (Bytes % 8 || Index >= numCounters(*Array))
    return std::nullopt;
  return CounterRef{const_cast<GlobalVariable *>(Array), unsigned(Index)};
}

static constexpr StringLiteral ScopePrefix = "arcline.";

void addToCounter(Instruction *Place, CounterRef Counter, Value *Amount,
                  MDNode *AccessTag) {
  constexpr unsigned NumScopes = 128; // a context can tell 256 apart
  IRBuilder<> Builder(Place);
  // What is counted is the code that follows; a label has a line of its own.
  const Instruction *Code = Place;
  while (Code->isDebugOrPseudoInst())
    Code = Code->getNextNode();
  Builder.SetCurrentDebugLocation(Code->getDebugLoc());
  Value *Cell = Builder.CreateConstInBoundsGEP2_64(
      Counter.Counters->getValueType(), Counter.Counters, 0, Counter.Index);
  const SyncScope::ID Scope = Place->getContext().getOrInsertSyncScopeID(
      (ScopePrefix + Twine(Counter.Index % NumScopes)).str());
  AtomicRMWInst *Update =
      Builder.CreateAtomicRMW(AtomicRMWInst::Add, Cell, Amount, Align(8),
                              AtomicOrdering::Monotonic, Scope);
  Update->setMetadata(LLVMContext::MD_tbaa, AccessTag);
}

bool isCounterUpdate(const Instruction &I) {
  const auto *Update = dyn_cast<AtomicRMWInst>(&I);
  if (!Update || Update->getSyncScopeID() <= SyncScope::System)
    return false;
  SmallVector<StringRef, 8> Names;
  I.getContext().getSyncScopeNames(Names);
  return Names[Update->getSyncScopeID()].starts_with(ScopePrefix);
}

std::optional<CounterUpdate> counterUpdate(Instruction &I,
                                           const DataLayout &Layout) {
  auto *Update = dyn_cast<AtomicRMWInst>(&I);
  if (!Update || Update->getOperation() != AtomicRMWInst::Add)
    return std::nullopt;
  std::optional<CounterRef> Counter =
      counterAt(Update->getPointerOperand(), Layout);
  if (!Counter)
    return std::nullopt;
  return CounterUpdate{*Counter, Update, Update->getValOperand()};
}

PlainUpdate makePlain(AtomicRMWInst &Update, Value *Address) {
  IRBuilder<> Builder(&Update);
  LoadInst *Load = hideFromSanitizers(
      Builder.CreateAlignedLoad(Builder.getInt64Ty(), Address, Align(8)));
  StoreInst *Store = hideFromSanitizers(Builder.CreateAlignedStore(
      Builder.CreateAdd(Load, Update.getValOperand()), Address, Align(8)));
  for (Instruction *Access :
       {static_cast<Instruction *>(Load), static_cast<Instruction *>(Store)})
    Access->setMetadata(LLVMContext::MD_tbaa,
                        Update.getMetadata(LLVMContext::MD_tbaa));
  Update.eraseFromParent();
  return {Load, Store};
}

} // namespace arcline

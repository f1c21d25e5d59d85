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
  ArrayType *Type =
      ArrayType::get(Type::getInt64Ty(M.getContext()), Number * CounterStride);
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
  return Counters.getValueType()->getArrayNumElements() / CounterStride;
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
  const uint64_t Index = Bytes / (8 * CounterStride);
  if (Bytes % (8 * CounterStride) || Index >= numCounters(*Array))
    return std::nullopt;
  return CounterRef{const_cast<GlobalVariable *>(Array), unsigned(Index)};
}

void addToCounter(Instruction *Place, CounterRef Counter, Value *Amount,
                  MDNode *AccessTag) {
  IRBuilder<> Builder(Place);
  Value *Cell = Builder.CreateConstInBoundsGEP2_64(
      Counter.Counters->getValueType(), Counter.Counters, 0,
      Counter.Index * CounterStride);
  LoadInst *Load = Builder.CreateLoad(Builder.getInt64Ty(), Cell);
  StoreInst *Store = Builder.CreateStore(Builder.CreateAdd(Load, Amount), Cell);
  constexpr unsigned NumScopes = 128; // a context can tell 256 apart
  const SyncScope::ID Scope = Place->getContext().getOrInsertSyncScopeID(
      ("arcline." + Twine(Counter.Index % NumScopes)).str());
  Load->setAtomic(AtomicOrdering::Unordered, Scope);
  Store->setAtomic(AtomicOrdering::Unordered, Scope);
  Load->setMetadata(LLVMContext::MD_tbaa, AccessTag);
  Store->setMetadata(LLVMContext::MD_tbaa, AccessTag);
}

void makePlain(Instruction &Access, Value *Address) {
  hideFromSanitizers(&Access);
  // The optimiser may have given the array a larger alignment.
  if (auto *Load = dyn_cast<LoadInst>(&Access)) {
    Load->setOperand(0, Address);
    Load->setAtomic(AtomicOrdering::NotAtomic);
    Load->setAlignment(Align(8));
  } else {
    auto &Store = cast<StoreInst>(Access);
    Store.setOperand(1, Address);
    Store.setAtomic(AtomicOrdering::NotAtomic);
    Store.setAlignment(Align(8));
  }
}

std::optional<CounterUpdate> counterUpdate(StoreInst &Store,
                                           const DataLayout &Layout) {
  auto *Sum = dyn_cast<BinaryOperator>(Store.getValueOperand());
  if (!Sum || Sum->getOpcode() != Instruction::Add || !Sum->hasOneUse() ||
      !Sum->getType()->isIntegerTy(64) || Sum->getParent() != Store.getParent())
    return std::nullopt;
  std::optional<CounterRef> Counter =
      counterAt(Store.getPointerOperand(), Layout);
  if (!Counter)
    return std::nullopt;
  for (unsigned I : {0, 1}) {
    auto *Load = dyn_cast<LoadInst>(Sum->getOperand(I));
    if (Load && Load->hasOneUse() && Load->getParent() == Store.getParent() &&
        counterAt(Load->getPointerOperand(), Layout) == Counter)
      return CounterUpdate{*Counter, Load, Sum, &Store, Sum->getOperand(1 - I)};
  }
  return std::nullopt;
}

void CounterUpdate::erase() const {
  Store->eraseFromParent();
  Sum->eraseFromParent();
  Load->eraseFromParent();
}

} // namespace arcline

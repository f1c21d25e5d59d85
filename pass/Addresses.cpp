// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An address is the distance from the entry of its function, which is known
// when code is assembled: neither the object nor the program has a relocation
// for it. When LLVM deletes a block, it replaces its address by 1, so the
// distance is replaced in time.

#include "Addresses.h"

#include "ConstantData.h"
#include "RuntimeCalls.h"
#include "UnitSlots.h"

#include "arcline/abi.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/ValueHandle.h"
#include "llvm/Support/LEB128.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace arcline {

/// Find the distances from entries of functions to a block.
static void findDistances(Constant *Part,
                          SmallVectorImpl<ConstantExpr *> &Found) {
  for (User *U : Part->users()) {
    auto *Expr = dyn_cast<ConstantExpr>(U);
    if (!Expr)
      continue;
    if (Expr->getOpcode() == Instruction::PtrToInt) {
      findDistances(Expr, Found);
    } else if (Expr->getOpcode() == Instruction::Sub &&
               Expr->getOperand(0) == Part) {
      // A program may have distances between its own labels.
      const auto *Entry = dyn_cast<ConstantExpr>(Expr->getOperand(1));
      if (Entry && Entry->getOpcode() == Instruction::PtrToInt &&
          isa<GlobalValue>(Entry->getOperand(0)))
        Found.push_back(Expr);
    }
  }
}

namespace {

/// Lives as long as a block's address.
class ListedAddress final : public CallbackVH {
public:
  explicit ListedAddress(BlockAddress *Address) : CallbackVH(Address) {}

  void allUsesReplacedWith(Value *New) override {
    if (isa<BlockAddress>(New)) {
      setValPtr(New);
      return;
    }
    SmallVector<ConstantExpr *, 2> Distances;
    findDistances(cast<Constant>(getValPtr()), Distances);
    for (ConstantExpr *Distance : Distances)
      Distance->replaceAllUsesWith(
          ConstantInt::getAllOnesValue(Distance->getType()));
  }

  void deleted() override { delete this; }
};

} // namespace

/// The distance from the entry of F to a block.
///
/// Entry  the address of the entry, 32 bits
static Constant *distanceTo(Function &F, BasicBlock &Block, Constant *Entry) {
  // The entry block is never a target, so it has no blockaddress.
  if (Block.isEntryBlock())
    return ConstantInt::get(Entry->getType(), 0);
  BlockAddress *Address = BlockAddress::get(&F, &Block);
  new ListedAddress(Address);
  return ConstantExpr::getSub(
      ConstantExpr::getPtrToInt(Address, Entry->getType()), Entry);
}

/// Differences of node numbers.
static std::string encodeNodes(ArrayRef<BlockEntry> Entries) {
  std::string Bytes;
  raw_string_ostream OS(Bytes);
  uint64_t Previous = 0;

  for (const BlockEntry &Entry : Entries) {
    encodeULEB128(zigzag(static_cast<int64_t>(Entry.Node - Previous)), OS);
    Previous = Entry.Node;
  }
  return OS.str();
}

void encodeAddresses(Function &F, ArrayRef<BlockEntry> Entries,
                     UnitSlots &Slots, SmallVectorImpl<Constant *> &Parts) {
  LLVMContext &Context = F.getContext();
  MapVector<const SourceFunction *, SmallVector<BlockEntry, 0>> Groups;
  for (const BlockEntry &Entry : Entries)
    Groups[Entry.Source].push_back(Entry);

  if (Groups.empty())
    return;
  Type *I32 = Type::getInt32Ty(Context);
  Constant *Entry = ConstantExpr::getPtrToInt(localAddress(F), I32);
  for (const auto &[Source, Blocks] : Groups) {
    std::string Head;
    raw_string_ostream OS(Head);
    encodeULEB128(Slots.slotOf(*Source), OS);
    encodeULEB128(Blocks.size(), OS);
    SmallVector<Constant *, 0> Distances;
    for (const BlockEntry &At : Blocks)
      Distances.push_back(distanceTo(F, *At.Block, Entry));
    Parts.append(
        {ConstantDataArray::getString(Context, OS.str(), false),
         ConstantArray::get(ArrayType::get(I32, Distances.size()), Distances),
         ConstantDataArray::getString(Context, encodeNodes(Blocks), false)});
  }
}

} // namespace arcline

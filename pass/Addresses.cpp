// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Addresses are distances, so that nothing has to be relocated when the program
// starts. When LLVM deletes a block, it replaces its address by 1; some linkers
// reject the distance to that, so such entries are removed in time.

#include "Addresses.h"

#include "ConstantData.h"
#include "RuntimeCalls.h"

#include "arcline/abi.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/ValueHandle.h"
#include "llvm/Support/LEB128.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace arcline {

/// Is this an address in a table of ours?
static bool isInTable(const Value *Address) {
  const auto *Global =
      dyn_cast<GlobalVariable>(Address->stripInBoundsConstantOffsets());
  return Global && Global->getSection() == ARCLINE_SECTION_ADDRS;
}

/// Find the fields of tables that hold the distance to something.
static void findFields(Constant *Part, SmallVectorImpl<ConstantExpr *> &Found) {
  for (User *U : Part->users()) {
    auto *Expr = dyn_cast<ConstantExpr>(U);
    if (!Expr)
      continue;
    if (Expr->getOpcode() == Instruction::Trunc)
      Found.push_back(Expr);
    else if (Expr->getOpcode() == Instruction::PtrToInt ||
             Expr->getOpcode() == Instruction::Add)
      findFields(Expr, Found);
    else if (auto *Here =
                 dyn_cast<ConstantExpr>(U->getOperand(U->getNumOperands() - 1));
             Expr->getOpcode() == Instruction::Sub && Here &&
             Here->getOpcode() == Instruction::PtrToInt &&
             isInTable(Here->getOperand(0)))
      findFields(Expr, Found);
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
    SmallVector<ConstantExpr *, 2> Fields;
    findFields(cast<Constant>(getValPtr()), Fields);
    for (ConstantExpr *Field : Fields)
      Field->replaceAllUsesWith(ConstantInt::get(Field->getType(), 0));
  }

  void deleted() override { delete this; }
};

} // namespace

/// The distance from the field at Offset in Table to a block.
static Constant *distanceTo(Function &F, BasicBlock &Block,
                            GlobalVariable *Table, uint64_t Offset) {
  // The entry block is never a target, so it has no blockaddress.
  if (Block.isEntryBlock())
    return relative(localAddress(F), Table, Offset);
  BlockAddress *Address = BlockAddress::get(&F, &Block);
  new ListedAddress(Address);
  return relative(Address, Table, Offset);
}

/// Differences of node numbers, padded.
static std::string encodeNodes(ArrayRef<BlockEntry> Entries) {
  std::string Bytes;
  raw_string_ostream OS(Bytes);
  uint64_t Previous = 0;

  for (const BlockEntry &Entry : Entries) {
    encodeULEB128(zigzag(static_cast<int64_t>(Entry.Node - Previous)), OS);
    Previous = Entry.Node;
  }
  OS.flush();
  Bytes.resize(alignTo(Bytes.size(), alignof(arcline_addrs)));
  return Bytes;
}

GlobalVariable *emitAddresses(Function &F, ArrayRef<BlockEntry> Entries) {
  LLVMContext &Context = F.getContext();
  Type *I32 = Type::getInt32Ty(Context);
  MapVector<GlobalVariable *, SmallVector<BlockEntry, 0>> Groups;
  for (const BlockEntry &Entry : Entries)
    Groups[Entry.Record].push_back(Entry);

  SmallVector<Type *, 0> Types;
  SmallVector<std::string, 0> Nodes;
  for (const auto &[Record, Blocks] : Groups) {
    Nodes.push_back(encodeNodes(Blocks));
    Types.append(
        {I32, I32, ArrayType::get(I32, Blocks.size()),
         ArrayType::get(Type::getInt8Ty(Context), Nodes.back().size())});
  }
  StructType *TableType = StructType::get(Context, Types);
  auto *Table = new GlobalVariable(*F.getParent(), TableType, true,
                                   GlobalValue::PrivateLinkage, nullptr,
                                   "__arcline_addresses");
  Table->setSection(ARCLINE_SECTION_ADDRS);
  Table->setAlignment(Align(alignof(arcline_addrs)));
  attachTo(F, *Table);

  SmallVector<Constant *, 0> Values;
  uint64_t Offset = 0;
  for (const auto &[Record, Blocks] : Groups) {
    SmallVector<Constant *, 0> Distances;
    const std::string &GroupNodes = Nodes[Values.size() / 4];
    uint64_t At = Offset + sizeof(arcline_addrs);
    for (const BlockEntry &Entry : Blocks) {
      Distances.push_back(distanceTo(F, *Entry.Block, Table, At));
      At += sizeof(arcline_rel32);
    }
    Values.append(
        {relative(Record, Table, Offset + offsetof(arcline_addrs, func)),
         ConstantInt::get(I32, Blocks.size()),
         ConstantArray::get(ArrayType::get(I32, Blocks.size()), Distances),
         ConstantDataArray::getString(Context, GroupNodes, /*AddNull=*/false)});
    Offset = At + GroupNodes.size();
  }
  Table->setInitializer(ConstantStruct::get(TableType, Values));
  return Table;
}

} // namespace arcline

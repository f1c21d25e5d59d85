// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Emits the constant data of a body: its record, its encoded plan with the
// addresses of its blocks, and the table of its call sites.

#include "Body.h"
#include "ConstantData.h"
#include "UnitSlots.h"

#include "llvm/IR/Constants.h"
#include "llvm/IR/Module.h"

#include <cstddef>

using namespace llvm;

namespace arcline {

/// Finish a table whose contents refer to it.
static void fillTable(GlobalVariable *Table, ArrayRef<Constant *> Rows) {
  auto *Type = cast<ArrayType>(Table->getValueType());
  Table->setInitializer(ConstantArray::get(Type, Rows));
}

GlobalVariable *Body::createTable(StructType *Row, unsigned NumRows,
                                  bool IsConstant, StringRef Section) {
  auto *Result = new GlobalVariable(M, ArrayType::get(Row, NumRows), IsConstant,
                                    GlobalValue::PrivateLinkage, nullptr,
                                    Section + ".table");
  // Code refers to those that it writes to.
  if (IsConstant)
    Result->setSection(Section);
  else
    putForCode(F, *Result, Section);
  Result->setUnnamedAddr(GlobalValue::UnnamedAddr::Local);
  // That of the row in arcline/abi.h, so that rows follow each other closely.
  Result->setAlignment(Row->getElementType(0)->isIntegerTy(64) ? Align(8)
                                                               : Align(4));
  attachTo(F, *Result);
  Used.push_back(Result);
  return Result;
}

static StructType *bodyType(Type *I32) {
  return StructType::get(I32, I32, I32, I32, I32, I32);
}

void Body::encode(ArrayRef<BlockEntry> Blocks, UnitSlots &Slots) {
  if (!Own && Copies.empty() && Blocks.empty())
    return;
  SmallVector<unsigned, 8> CopySlots;
  for (const auto &[Source, Copy] : Copies)
    CopySlots.push_back(Slots.slotOf(*Source));
  // A body without cells has no plan.
  const std::string Head = encodeBody(
      Own ? std::optional(Slots.slotOf(*Own)) : std::nullopt, CopySlots,
      NumCells ? encodePlan(NumNodes, Edges, PlanCopies) : "");
  SmallVector<Constant *, 0> Parts = {
      ConstantDataArray::getString(M.getContext(), Head, false)};
  encodeAddresses(F, Blocks, Slots, Parts);
  Constant *Value = ConstantStruct::getAnon(Parts, /*Packed=*/true);
  // LLVM believes that addresses of blocks have to be relocated, and that data
  // with them cannot be constant. The section's data has to be all the same.
  Data =
      new GlobalVariable(M, Value->getType(), false,
                         GlobalValue::PrivateLinkage, Value, "__arcline_plan");
  Data->setSection(ARCLINE_SECTION_PLANS);
  Data->setUnnamedAddr(GlobalValue::UnnamedAddr::Local);
  Data->setAlignment(Align(1));
  attachTo(F, *Data);
  if (!Table)
    Table = createTable(bodyType(I32), 1, true, ARCLINE_SECTION_BODIES);
}

void Body::emit(GlobalVariable *Unit) {
  if (!Table)
    return;
  auto Refer = [&](Constant *Target, uint64_t Offset) {
    return Target ? relative(Target, Table, Offset) : ConstantInt::get(I32, 0);
  };
  const uint64_t NumBytes =
      M.getDataLayout().getTypeAllocSize(Data->getValueType());
  fillTable(
      Table,
      ConstantStruct::get(
          bodyType(I32),
          {Refer(F.hasAvailableExternallyLinkage() ? nullptr : localAddress(F),
                 offsetof(arcline_body, pc)),
           Refer(Unit, offsetof(arcline_body, unit)),
           Refer(Cells, offsetof(arcline_body, cells)),
           ConstantInt::get(I32, NumCells),
           Refer(Data, offsetof(arcline_body, data)),
           ConstantInt::get(I32, NumBytes)}));
  if (isBeforeLinkTimeOptimisation(M))
    keepWithCode(F, Cells, *Table);
}

void Body::emitSites() {
  if (Sites.empty())
    return;
  Table = createTable(bodyType(I32), 1, true, ARCLINE_SECTION_BODIES);
  StructType *SiteType = StructType::get(I64, I64, I32, I32, I32, I32);
  GlobalVariable *SiteTable = createTable(SiteType, unsigned(Sites.size()),
                                          false, ARCLINE_SECTION_SITES);
  SmallVector<Constant *, 8> Rows;
  for (const auto &[Key, Markers] : Sites) {
    const unsigned Cell = FirstSiteCell + unsigned(Rows.size());
    const uint64_t Row = Rows.size() * sizeof(arcline_site);
    Rows.push_back(ConstantStruct::get(
        SiteType,
        {ConstantInt::get(I64, 0), ConstantInt::get(I64, 0),
         relative(Table, SiteTable, Row + offsetof(arcline_site, body)),
         ConstantInt::get(I32, Key.second),
         relative(at(Cells, Cell * 8), SiteTable,
                  Row + offsetof(arcline_site, cell)),
         ConstantInt::get(I32, Copies[Key.first].Number)}));
    for (CallInst *Marker : Markers)
      lowerIndirectMarker(Marker, at(SiteTable, Row), Cell,
                          [&](Instruction *User) { return cellsIn(User); });
  }
  fillTable(SiteTable, Rows);
}

} // namespace arcline

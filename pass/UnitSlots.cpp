// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "UnitSlots.h"

#include "ConstantData.h"
#include "SourceFunctions.h"

#include "arcline/abi.h"

#include "llvm/IR/Constants.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace arcline {

GlobalVariable *
UnitSlots::emit(Module &M,
                const DenseMap<uint64_t, RecordPlace> &Places) const {
  Type *I32 = Type::getInt32Ty(M.getContext());
  ArrayType *ListType = ArrayType::get(I32, Slots.size());
  StructType *UnitType = StructType::get(I32, ListType);
  auto *Unit =
      new GlobalVariable(M, UnitType, true, GlobalValue::PrivateLinkage,
                         nullptr, "__arcline_unit");
  Unit->setSection(ARCLINE_SECTION_DATA);
  Unit->setUnnamedAddr(GlobalValue::UnnamedAddr::Local);
  Unit->setAlignment(Align(alignof(arcline_unit)));

  SmallVector<Constant *, 0> Records;
  for (const auto &[Source, Slot] : Slots) {
    const RecordPlace Place = Places.lookup(Source->Record.Id);
    Records.push_back(
        relative(at(Place.Holder, Place.Offset), Unit,
                 sizeof(arcline_unit) + Slot * sizeof(arcline_rel32)));
  }
  Unit->setInitializer(
      ConstantStruct::get(UnitType, {ConstantInt::get(I32, Slots.size()),
                                     ConstantArray::get(ListType, Records)}));
  return Unit;
}

} // namespace arcline

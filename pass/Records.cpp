// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Nothing here refers to code, so that data of a function that the linker drops
// stays (its lines are then reported as never executed) without keeping the
// code. Records are in llvm.used, which survives --gc-sections.

#include "Records.h"

#include "arcline/abi.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/Metadata.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

#include <cstddef>

using namespace llvm;

namespace arcline {

/// Named metadata: the strings of a unit, and the assembly that comes before
/// that of its records.
static constexpr StringLiteral UnitMetadata = "arcline.unit";

GlobalVariable *createData(Module &M, StringRef Bytes, const Twine &Name) {
  Constant *Value =
      ConstantDataArray::getString(M.getContext(), Bytes, /*AddNull=*/false);
  auto *Data = new GlobalVariable(M, Value->getType(), true,
                                  GlobalValue::PrivateLinkage, Value, Name);
  Data->setSection(ARCLINE_SECTION_DATA);
  Data->setAlignment(Align(1));
  Data->setUnnamedAddr(GlobalValue::UnnamedAddr::Local);
  return Data;
}

Constant *at(GlobalVariable *Base, uint64_t Offset) {
  LLVMContext &Context = Base->getContext();
  return ConstantExpr::getInBoundsGetElementPtr(
      Type::getInt8Ty(Context), Base,
      ConstantInt::get(Type::getInt64Ty(Context), Offset));
}

Constant *relative(Constant *Target, GlobalVariable *Holder, uint64_t Offset) {
  LLVMContext &Context = Holder->getContext();
  Type *I64 = Type::getInt64Ty(Context);
  Constant *Address = ConstantExpr::getPtrToInt(Target, I64);
  // For the distance to a function whose address is not significant, LLVM emits
  // a relocation that means "or to its PLT entry", which GNU ld 2.40 supports
  // on x86-64 only, and GNU as (-fno-integrated-as) in code only. Link-time
  // optimisation finds more of these functions. LLVM does not emit it for the
  // sum of an address and a number.
  if (isa<Function>(Target) || isa<GlobalAlias>(Target)) {
    Address = ConstantExpr::getAdd(Address, ConstantInt::get(I64, 1));
    Offset++;
  }
  // The offset is subtracted at the end: the address of each field would be
  // another two expressions.
  Constant *Distance =
      ConstantExpr::getSub(Address, ConstantExpr::getPtrToInt(Holder, I64));
  if (Offset)
    Distance =
        ConstantExpr::getAdd(Distance, ConstantInt::get(I64, 0 - Offset));
  return ConstantExpr::getTrunc(Distance, Type::getInt32Ty(Context));
}

std::string recordGroup(uint64_t Id) {
  return "__arcline_func." + utohexstr(Id, /*LowerCase=*/true);
}

static Metadata *number(LLVMContext &Context, uint64_t Value) {
  return ConstantAsMetadata::get(
      ConstantInt::get(Type::getInt64Ty(Context), Value));
}

static uint64_t numberAt(const MDNode &Node, unsigned I) {
  return mdconst::extract<ConstantInt>(Node.getOperand(I))->getZExtValue();
}

static StringRef textAt(const MDNode &Node, unsigned I) {
  return cast<MDString>(Node.getOperand(I))->getString();
}

Metadata *toMetadata(Module &M, const RecordData &R) {
  LLVMContext &Context = M.getContext();
  return MDNode::get(Context,
                     {number(Context, R.Id), number(Context, R.NumCounters),
                      number(Context, R.Flags), number(Context, R.IsBorrowed),
                      MDString::get(Context, R.Graph),
                      MDString::get(Context, R.Lines)});
}

RecordData fromMetadata(const MDNode &Node) {
  return {numberAt(Node, 0),
          unsigned(numberAt(Node, 1)),
          unsigned(numberAt(Node, 2)),
          numberAt(Node, 3) != 0,
          textAt(Node, 4),
          textAt(Node, 5)};
}

void noteUnit(Module &M, StringRef Names, StringRef Lines) {
  LLVMContext &Context = M.getContext();
  M.getOrInsertNamedMetadata(UnitMetadata)
      ->addOperand(MDNode::get(Context, {MDString::get(Context, Names),
                                         MDString::get(Context, Lines)}));
}

namespace {

class Emitter {
public:
  explicit Emitter(Module &M)
      : M(M), I16(Type::getInt16Ty(M.getContext())),
        I32(Type::getInt32Ty(M.getContext())),
        I64(Type::getInt64Ty(M.getContext())),
        RecordType(StructType::get(M.getContext(),
                                   {I64, I32, I32, I32, I32, I32, I16, I16})) {}

  void begin();
  RecordPlace emitGrouped(const RecordData &R);
  void emitUngrouped(ArrayRef<const RecordData *> Records,
                     DenseMap<uint64_t, RecordPlace> &Places);
  void finish() {
    appendToUsed(M, Used);
    // One change of section for all entries that are in no group.
    M.appendModuleInlineAsm(".pushsection " ARCLINE_SECTION_LINES
                            ",\"\",%progbits\n" +
                            Lines + ".popsection\n");
  }

private:
  Constant *contents(const RecordData &R, Constant *Graph,
                     GlobalVariable *Holder, uint64_t Offset) const;
  GlobalVariable *createRecords(Type *Type, const Twine &Name);

  Module &M;
  Type *I16, *I32, *I64;
  StructType *RecordType;
  GlobalVariable *NameTable = nullptr;
  uint64_t NameBytes = 0;
  std::string Lines;
  SmallVector<GlobalValue *, 0> Used;
};

} // namespace

void Emitter::begin() {
  NamedMDNode *Unit = M.getNamedMetadata(UnitMetadata);
  const StringRef Names = textAt(*Unit->getOperand(0), 0);
  NameTable = createData(M, Names, "__arcline_strings");
  NameBytes = Names.size();
  Lines = textAt(*Unit->getOperand(0), 1).str();
  Unit->eraseFromParent();
}

/// The record at Offset in Holder.
Constant *Emitter::contents(const RecordData &R, Constant *Graph,
                            GlobalVariable *Holder, uint64_t Offset) const {
  return ConstantStruct::get(
      RecordType,
      {ConstantInt::get(I64, R.Id),
       relative(Graph, Holder, Offset + offsetof(arcline_func, graph)),
       ConstantInt::get(I32, R.Graph.size()),
       relative(NameTable, Holder, Offset + offsetof(arcline_func, strings)),
       ConstantInt::get(I32, NameBytes), ConstantInt::get(I32, R.NumCounters),
       ConstantInt::get(I16, ARCLINE_ABI_VERSION),
       ConstantInt::get(I16, R.Flags)});
}

GlobalVariable *Emitter::createRecords(Type *Type, const Twine &Name) {
  auto *Records = new GlobalVariable(M, Type, true, GlobalValue::PrivateLinkage,
                                     ConstantAggregateZero::get(Type), Name);
  Records->setSection(ARCLINE_SECTION_FUNCS);
  Records->setAlignment(Align(8));
  Records->setUnnamedAddr(GlobalValue::UnnamedAddr::Local);
  Used.push_back(Records);
  return Records;
}

RecordPlace Emitter::emitGrouped(const RecordData &R) {
  const std::string Name = recordGroup(R.Id);
  Comdat *Group = M.getOrInsertComdat(Name);
  GlobalVariable *Graph = createData(M, R.Graph, "__arcline_graph");
  Graph->setComdat(Group);
  GlobalVariable *Result = createRecords(RecordType, Name);
  Result->setLinkage(GlobalValue::LinkOnceODRLinkage);
  Result->setVisibility(GlobalValue::HiddenVisibility);
  Result->setComdat(Group);
  Result->setInitializer(contents(R, Graph, Result, 0));
  Lines += R.Lines;
  return {Result, 0};
}

/// Emit the records that are in no group, in one piece, as are their graphs.
void Emitter::emitUngrouped(ArrayRef<const RecordData *> Records,
                            DenseMap<uint64_t, RecordPlace> &Places) {
  if (Records.empty())
    return;
  std::string Bytes;
  for (const RecordData *R : Records)
    Bytes += R->Graph;
  GlobalVariable *Graphs = createData(M, Bytes, "__arcline_graphs");
  ArrayType *Type = ArrayType::get(RecordType, Records.size());
  GlobalVariable *Result = createRecords(Type, "__arcline_funcs");
  SmallVector<Constant *, 0> Rows;
  uint64_t GraphOffset = 0;
  for (const RecordData *R : Records) {
    const uint64_t Offset = Rows.size() * sizeof(arcline_func);
    Places[R->Id] = {Result, Offset};
    Rows.push_back(contents(*R, at(Graphs, GraphOffset), Result, Offset));
    GraphOffset += R->Graph.size();
    Lines += R->Lines;
  }
  Result->setInitializer(ConstantArray::get(Type, Rows));
}

DenseMap<uint64_t, RecordPlace>
emitRecords(Module &M, ArrayRef<RecordData> Records,
            function_ref<bool(uint64_t Id)> IsUsed) {
  DenseMap<uint64_t, RecordPlace> Places;
  SmallVector<const RecordData *, 0> Ungrouped;
  Emitter Emitter(M);
  Emitter.begin();
  for (const RecordData &R : Records)
    if (!(R.Flags & ARCLINE_FUNC_COMDAT))
      Ungrouped.push_back(&R);
    else if (!R.IsBorrowed || IsUsed(R.Id))
      Places[R.Id] = Emitter.emitGrouped(R);
  Emitter.emitUngrouped(Ungrouped, Places);
  Emitter.finish();
  return Places;
}

} // namespace arcline

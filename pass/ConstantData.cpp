// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Nothing here refers to code, so that data of a function that the linker drops
// stays (its lines are then reported as never executed) without keeping the
// code. All references are differences of two addresses: no run-time
// relocations. Records are in llvm.used, which survives --gc-sections.

#include "ConstantData.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/LEB128.h"
#include "llvm/Support/MD5.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

using namespace llvm;

namespace arcline {

/// The file's name; relative ones are relative to CompDir.
static std::string fileName(const DIFile *File, StringRef CompDir) {
  if (!File)
    return "";
  if (sys::path::is_absolute(File->getFilename()) ||
      File->getDirectory().empty() || File->getDirectory() == CompDir)
    return File->getFilename().str();
  SmallString<128> Path(File->getDirectory());
  sys::path::append(Path, File->getFilename());
  return Path.str().str();
}

static uint64_t zigzag(int64_t Value) {
  return (static_cast<uint64_t>(Value) << 1) ^
         static_cast<uint64_t>(Value >> 63);
}

ConstantData::ConstantData(Module &M) : M(M), UnitId(getUniqueModuleId(&M)) {
  Type *I32 = Type::getInt32Ty(M.getContext());
  Type *I64 = Type::getInt64Ty(M.getContext());
  RecordType = StructType::get(M.getContext(),
                               {I64, I32, I32, I32, I32, I32, I32, I32, I32});
  // A unit without exported symbols has no such id.
  if (UnitId.empty())
    UnitId = M.getSourceFileName();
}

uint64_t ConstantData::identify(const FlowGraph &Graph) const {
  std::string Text;
  raw_string_ostream OS(Text);
  OS << Graph.Func.getName() << '\0';
  if (Graph.Func.hasLocalLinkage())
    OS << UnitId << '\0';
  for (const FlowEdge &Edge : Graph.Edges)
    OS << Edge.From << ',' << Edge.To << ',' << Edge.Kind << ',' << Edge.Counter
       << ';';
  for (const FlowNode &Node : Graph.Nodes) {
    for (const SourceLine &Line : Node.Lines)
      OS << Line.Line << ',';
    OS << ';';
  }
  return MD5Hash(OS.str());
}

uint64_t ConstantData::stringOffset(StringRef String) {
  if (String.empty())
    return 0;
  auto [Entry, IsNew] = StringOffsets.try_emplace(String, Strings.size());
  if (IsNew) {
    Strings += String;
    Strings += '\0';
  }
  return Entry->second;
}

uint64_t ConstantData::fileOffset(const DIFile *File, StringRef CompDir) {
  return stringOffset(fileName(File, CompDir));
}

std::string ConstantData::encode(const FlowGraph &Graph) {
  std::string Bytes;
  raw_string_ostream OS(Bytes);
  auto Put = [&](uint64_t Value) { encodeULEB128(Value, OS); };

  Put(stringOffset(Graph.Func.getName()));
  Put(fileOffset(Graph.Definition.File, Graph.CompDir));
  Put(Graph.Definition.Line);
  Put(stringOffset(Graph.CompDir));
  Put(Graph.Nodes.size());
  Put(Graph.Edges.size());
  for (const FlowEdge &Edge : Graph.Edges) {
    Put(Edge.From);
    Put(Edge.To);
    uint64_t CounterPlus1 =
        Edge.Counter == FlowEdge::NoCounter ? 0 : uint64_t(Edge.Counter) + 1;
    Put(CounterPlus1 << ARCLINE_EDGE_KIND_BITS | Edge.Kind);
  }

  int64_t Previous = Graph.Definition.Line;
  const DIFile *File = Graph.Definition.File;
  for (const FlowNode &Node : Graph.Nodes) {
    Put(Node.Lines.size());
    for (const SourceLine &At : Node.Lines) {
      Put(zigzag(At.Line - Previous) << 1 | (At.File != File));
      if (At.File != File)
        Put(fileOffset(At.File, Graph.CompDir));
      Previous = At.Line;
      File = At.File;
    }
  }

  Put(Graph.Calls.size());
  for (const CallSite &Call : Graph.Calls) {
    Put(Call.Node);
    Put(zigzag(int64_t(Call.At.Line) - Graph.Definition.Line));
    Put(fileOffset(Call.At.File, Graph.CompDir));
    Put(stringOffset(Call.Callee));
  }
  return OS.str();
}

GlobalVariable *ConstantData::addRecord(const FlowGraph &Graph,
                                        const FunctionData &Data) {
  Constant *Bytes = ConstantDataArray::getString(M.getContext(), encode(Graph),
                                                 /*AddNull=*/false);
  auto *Encoded =
      new GlobalVariable(M, Bytes->getType(), true, GlobalValue::PrivateLinkage,
                         Bytes, "__arcline_graph");
  Encoded->setSection(ARCLINE_SECTION_DATA);
  Encoded->setAlignment(Align(1));
  Encoded->setComdat(Data.Group);

  auto *Global = new GlobalVariable(
      M, RecordType, true, GlobalValue::PrivateLinkage,
      ConstantAggregateZero::get(RecordType), "__arcline_func");
  Global->setSection(ARCLINE_SECTION_FUNCS);
  Global->setAlignment(Align(8));
  if (Data.Group) {
    Global->setName("__arcline_func." + Data.Group->getName());
    Global->setLinkage(GlobalValue::LinkOnceODRLinkage);
    Global->setVisibility(GlobalValue::HiddenVisibility);
    Global->setComdat(Data.Group);
  }
  Records.push_back({Data, Graph.NumCounters, Encoded, Global});
  return Global;
}

void ConstantData::finish() {
  if (Records.empty())
    return;
  LLVMContext &Context = M.getContext();
  Type *I32 = Type::getInt32Ty(Context);
  Type *I64 = Type::getInt64Ty(Context);

  Constant *Text =
      ConstantDataArray::getString(Context, Strings, /*AddNull=*/false);
  auto *StringTable =
      new GlobalVariable(M, Text->getType(), true, GlobalValue::PrivateLinkage,
                         Text, "__arcline_strings");
  StringTable->setSection(ARCLINE_SECTION_DATA);
  StringTable->setAlignment(Align(1));

  SmallVector<GlobalValue *, 0> Used;
  for (const Record &R : Records) {
    auto Relative = [&](Constant *Target, unsigned Field) {
      Constant *Here = ConstantExpr::getInBoundsGetElementPtr(
          RecordType, R.Global,
          ArrayRef<Constant *>{ConstantInt::get(I32, 0),
                               ConstantInt::get(I32, Field)});
      return ConstantExpr::getTrunc(
          ConstantExpr::getSub(ConstantExpr::getPtrToInt(Target, I64),
                               ConstantExpr::getPtrToInt(Here, I64)),
          I32);
    };
    auto Number = [&](uint64_t Value) { return ConstantInt::get(I32, Value); };
    Constant *Counters = ConstantExpr::getInBoundsGetElementPtr(
        I64, R.Data.Counters, ConstantInt::get(I64, R.Data.FirstCounter));
    R.Global->setInitializer(ConstantStruct::get(
        RecordType, {ConstantInt::get(I64, R.Data.Id), Relative(Counters, 1),
                     Number(R.NumCounters), Relative(R.Graph, 3),
                     Number(R.Graph->getValueType()->getArrayNumElements()),
                     Relative(StringTable, 5), Number(Strings.size()),
                     Number(ARCLINE_ABI_VERSION),
                     Number(R.Data.Group ? ARCLINE_FUNC_COMDAT : 0)}));
    Used.push_back(R.Global);
  }
  appendToUsed(M, Used);
}

} // namespace arcline

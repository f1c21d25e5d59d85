// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Nothing here refers to code, so that data of a function that the linker drops
// stays (its lines are then reported as never executed) without keeping the
// code. All references are differences of two addresses: no run-time
// relocations. Records are in llvm.used, which survives --gc-sections.
//
// Lines are in a section that is not loaded. LLVM has no way to give a variable
// such a section, so they are module-level assembly, in the group of their
// function's record. Nothing refers to them: the analyzer finds them by id.

#include "ConstantData.h"
#include "CompilerMade.h"
#include "Passes.h"

#include "arcline/name_hash.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/GlobalAlias.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/LEB128.h"
#include "llvm/Support/MD5.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

#include <algorithm>
#include <cassert>
#include <cstddef>

using namespace llvm;

namespace arcline {

/// Metadata of the record of a function that another object owns: assembly with
/// its lines, for as long as it may be dropped.
static constexpr StringLiteral LinesMetadata = "arcline.lines";

bool isBeforeLinkTimeOptimisation(const Module &M) {
  return M.getModuleFlag("EnableSplitLTOUnit") != nullptr;
}

void attachTo(Function &F, GlobalVariable &Data) {
  Data.setComdat(F.getComdat());
  // Members of a group come and go together. At link time LLVM drops the groups
  // that another module has, and then stumbles over members without function.
  // Nor may they be tied to a function that another object has.
  if (!F.hasAvailableExternallyLinkage() &&
      (!F.hasComdat() || !isBeforeLinkTimeOptimisation(*F.getParent())))
    Data.setMetadata(LLVMContext::MD_associated,
                     MDNode::get(F.getContext(), ValueAsMetadata::get(&F)));
}

uint64_t zigzag(int64_t Value) {
  return (static_cast<uint64_t>(Value) << 1) ^
         static_cast<uint64_t>(Value >> 63);
}

ConstantData::ConstantData(Module &M, SourceFiles &Sources)
    : M(M), Sources(Sources), UnitId(getUniqueModuleId(&M)) {
  Type *I32 = Type::getInt32Ty(M.getContext());
  Type *I64 = Type::getInt64Ty(M.getContext());
  Type *I16 = Type::getInt16Ty(M.getContext());
  RecordType =
      StructType::get(M.getContext(), {I64, I32, I32, I32, I32, I32, I16, I16});
  for (const GlobalAlias &Alias : M.aliases())
    if (const auto *F = dyn_cast<Function>(Alias.getAliaseeObject()))
      Aliases[F].push_back(Alias.getName());
  // A unit without exported symbols has no such id.
  if (UnitId.empty())
    UnitId = M.getSourceFileName();
}

/// The contents of an entry of decisions (arcline/decisions.h).
static std::string encodeDecisions(const FlowGraph &Graph) {
  std::string Bytes;
  raw_string_ostream OS(Bytes);
  int64_t Previous = 0;
  const auto PutChoice = [&](const Condition &C) {
    encodeULEB128(zigzag(int64_t(C.Choice) - Previous), OS);
    Previous = C.Choice;
  };
  for (const Decision &D : *Graph.Decisions) {
    encodeULEB128(D.Size << 1 | D.IsCounted, OS);
    if (!D.IsCounted)
      PutChoice(D.Conditions.front());
    for (unsigned I = 0; D.IsCounted && I != D.Conditions.size(); ++I) {
      const Condition &C = D.Conditions[I];
      PutChoice(C);
      for (const unsigned To : C.Targets.to)
        encodeULEB128(
            To < ARCLINE_OUTCOME_0 ? To - I + 1 : To - ARCLINE_OUTCOME_0, OS);
      encodeULEB128(C.IsInverted, OS);
    }
  }
  return OS.str();
}

uint64_t ConstantData::identify(const FlowGraph &Graph,
                                bool DerivesArcs) const {
  std::string Text;
  raw_string_ostream OS(Text);
  OS << Graph.Func.getName() << '\0';
  if (Graph.Func.hasLocalLinkage())
    OS << UnitId << '\0';
  OS << DerivesArcs;
  for (const FlowEdge &Edge : Graph.Edges)
    OS << Edge.From << ',' << Edge.To << ',' << Edge.Kind << ',' << Edge.Counter
       << ';';
  for (const FlowNode &Node : Graph.Nodes) {
    for (const SourceLine &Line : Node.Lines)
      OS << Line.Line << ',';
    for (const SourceLine &Line : Node.CodeLines)
      OS << ':' << Line.Line;
    OS << ',' << Node.Choice.Line << ',' << Node.Choice.Column << ';';
  }
  for (const CallSite &Call : Graph.Calls)
    OS << Call.At.Line << ',';
  if (Graph.Decisions)
    OS << '\0' << encodeDecisions(Graph);
  return MD5Hash(OS.str());
}

uint64_t ConstantData::StringTable::offsetOf(StringRef String) {
  if (String.empty())
    return 0;
  auto [Entry, IsNew] = Offsets.try_emplace(String, Bytes.size());
  if (IsNew) {
    Bytes += String;
    Bytes += '\0';
  }
  return Entry->second;
}

static bool isLong(StringRef Name) {
  return Name.size() > ARCLINE_NAME_SHORT_BYTES;
}

/// May the function's name be shortened? The runtime only compares the names of
/// an object's own functions. But if another object's function may be called in
/// its place, the name identifies that function.
static bool mayShorten(const Function *F) {
  return F && F->hasFnAttribute(EligibleAttribute) &&
         !F->hasAvailableExternallyLinkage() &&
         (F->hasLocalLinkage() || !F->hasDefaultVisibility() ||
          !isShared(*F->getParent()));
}

static std::string shortName(uint64_t Hash) {
  std::string Result(1, char(ARCLINE_NAME_SHORT));
  for (unsigned Shift = 0; Shift <= 63; Shift += 7)
    Result += char((Hash >> Shift & 0x7f) | 0x80);
  return Result;
}

/// The function that goes by a name.
static const Function *functionOf(const Module &M, StringRef Name) {
  const auto *Symbol = dyn_cast_or_null<GlobalValue>(M.getNamedValue(Name));
  return Symbol ? dyn_cast<Function>(Symbol->getAliaseeObject()) : nullptr;
}

uint64_t ConstantData::nameOffset(StringRef Name) {
  return Strings.offsetOf(
      isLong(Name) && mayShorten(functionOf(M, Name))
          ? shortName(arcline_name_hash(Name.str().c_str()))
          : GlobalValue::dropLLVMManglingEscape(Name).str());
}

uint64_t ConstantData::fileOffset(const DIFile *File, const FlowGraph &Graph) {
  return Files.offsetOf(Sources.name(File, Graph.Unit));
}

/// The target of an edge, as a small number.
static uint64_t encodeTarget(const FlowEdge &Edge, unsigned Exit) {
  const int64_t From = Edge.From == Exit ? -1 : int64_t(Edge.From);
  return Edge.To == Exit ? 0 : zigzag(int64_t(Edge.To) - From - 1) + 1;
}

std::string ConstantData::encode(const FlowGraph &Graph) {
  std::string Bytes;
  raw_string_ostream OS(Bytes);
  auto Put = [&](uint64_t Value) { encodeULEB128(Value, OS); };

  Put(nameOffset(Graph.Func.getName()));
  Put(Graph.Nodes.size());
  Put(Graph.Edges.size());

  ArrayRef<StringRef> Names;
  if (auto Found = Aliases.find(&Graph.Func); Found != Aliases.end())
    Names = Found->second;
  Put(Names.size());
  for (StringRef Name : Names)
    Put(nameOffset(Name));

  const size_t HeadBytes = OS.str().size();
  const unsigned Exit = Graph.exitNode();
  unsigned From = Exit;
  for (const FlowEdge &Edge : Graph.Edges) {
    unsigned Next = 0; // the edge comes from the next node
    while (From != Edge.From) {
      if (Next)
        Put(Next | ARCLINE_EDGE_NONE);
      Next = ARCLINE_EDGE_IS_NEXT;
      From = From == Exit ? 0 : From + 1;
    }
    Put(encodeTarget(Edge, Exit) << ARCLINE_EDGE_TO_BITS | Next |
        (Edge.Counter == FlowEdge::NoCounter ? 0 : ARCLINE_EDGE_HAS_COUNTER) |
        Edge.Kind);
  }

  Put(Graph.Calls.size());
  for (const CallSite &Call : Graph.Calls) {
    Put(Call.Node);
    Put(nameOffset(Call.Callee));
  }
  // Readers believe in no more nodes than bytes.
  const size_t MinBytes = HeadBytes + Graph.Nodes.size();
  Bytes.resize(std::max(OS.str().size(), MinBytes));
  return Bytes;
}

std::string ConstantData::encodeLines(const FlowGraph &Graph) {
  std::string Bytes;
  raw_string_ostream OS(Bytes);
  auto Put = [&](uint64_t Value) { encodeULEB128(Value, OS); };

  Put(fileOffset(Graph.Definition.File, Graph));
  Put(Graph.Definition.Line);
  for (const CallSite &Call : Graph.Calls) {
    Put(zigzag(int64_t(Call.At.Line) - Graph.Definition.Line));
    Put(fileOffset(Call.At.File, Graph));
  }
  int64_t Previous = Graph.Definition.Line;
  const DIFile *File = Graph.Definition.File;
  auto PutLines = [&](ArrayRef<SourceLine> Lines, bool IsContinued) {
    Put(Lines.size() << 1 | IsContinued);
    for (const SourceLine &At : Lines) {
      Put(zigzag(At.Line - Previous) << 1 | (At.File != File));
      if (At.File != File)
        Put(fileOffset(At.File, Graph));
      Previous = At.Line;
      File = At.File;
    }
  };
  for (unsigned N = 0; N != Graph.Nodes.size(); ++N)
    PutLines(Graph.Nodes[N].Lines, Graph.isContinued(N));
  for (unsigned N = 0; N != Graph.Nodes.size(); ++N) {
    const SourcePlace &At = Graph.Nodes[N].Choice;
    if (!Graph.hasChoice(N))
      continue;
    Put(zigzag(int64_t(At.Line) - Previous) << 1 | (At.File != File));
    if (At.File != File)
      Put(fileOffset(At.File, Graph));
    Put(At.Column);
    Previous = At.Line;
    File = At.File;
  }
  unsigned LastNode = 0;
  for (unsigned N = 0; N != Graph.Nodes.size(); ++N) {
    const FlowNode &Node = Graph.Nodes[N];
    if (Node.CodeLines == Node.Lines)
      continue;
    Put(N - LastNode);
    PutLines(Node.CodeLines, false);
    LastNode = N;
  }
  return OS.str();
}

/// An entry of ARCLINE_SECTION_LINES.
///
/// Group  name of the group to be in; empty for none
static void printEntry(raw_ostream &OS, uint64_t Id, uint64_t Files,
                       StringRef Bytes, StringRef Group) {
  OS << ".pushsection " ARCLINE_SECTION_LINES ",\"";
  if (Group.empty()) {
    OS << "\",%progbits\n";
  } else {
    OS << "G\",%progbits,\"" << Group << "\",comdat\n";
  }
  // Of 8 bytes each without alignment, which .quad has on some machines.
  OS << ".8byte " << Id << "\n.8byte " << Files << "\n.4byte " << Bytes.size()
     << "\n.ascii \"";
  for (const char C : Bytes) {
    const unsigned Byte = static_cast<unsigned char>(C);
    if (isPrint(C) && C != '"' && C != '\\')
      OS << C;
    else
      OS << '\\' << char('0' + (Byte >> 6)) << char('0' + (Byte >> 3 & 7))
         << char('0' + (Byte & 7));
  }
  OS << "\"\n.popsection\n";
}

static void printName(raw_ostream &OS, const std::string &Name,
                      StringRef Group) {
  printEntry(OS, arcline_name_hash(Name.c_str()), ARCLINE_LINES_IS_NAME,
             StringRef(Name.c_str(), Name.size() + 1), Group);
}

std::string ConstantData::linesAssembly(const Record &R,
                                        uint64_t FilesId) const {
  std::string Text;
  raw_string_ostream OS(Text);
  // If modules are linked before code is generated, a group may be dropped
  // without the assembly in it.
  const bool HasGroups = !isBeforeLinkTimeOptimisation(M);
  StringRef GroupName = R.Group && HasGroups ? R.Group->getName() : "";
  // Names that have to be escaped in assembly are not shortened.
  if (GroupName.find_first_of("\"\\\n") != StringRef::npos)
    GroupName = "";
  printEntry(OS, R.Id, FilesId, R.Lines, GroupName);
  if (R.Decisions)
    printEntry(OS, arcline_decisions_id(R.Id), ARCLINE_LINES_IS_DECISIONS,
               *R.Decisions, GroupName);
  if (!R.Name.empty())
    printName(OS, R.Name, GroupName);
  // The unit whose group is picked may have no aliases.
  for (const std::string &Alias : R.Aliases)
    printName(OS, Alias, "");
  return OS.str();
}

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
  // The offset is subtracted at the end: the address of each field would be
  // another two expressions.
  Constant *Distance =
      ConstantExpr::getSub(ConstantExpr::getPtrToInt(Target, I64),
                           ConstantExpr::getPtrToInt(Holder, I64));
  if (Offset)
    Distance =
        ConstantExpr::getAdd(Distance, ConstantInt::get(I64, 0 - Offset));
  return ConstantExpr::getTrunc(Distance, Type::getInt32Ty(Context));
}

/// Functions of which the linker picks one (inline functions, templates) need a
/// record that it picks in the same way, in a separate group: code of such a
/// function may be inlined into functions that are kept if its group is
/// dropped. This applies also to the inline functions of C and to instances of
/// `extern template`, which one object owns and others copy. The group's name
/// is the id, which separates functions that were compiled to different graphs,
/// and is shorter than the function's.
static Comdat *dataGroup(Module &M, const FlowGraph &Graph, uint64_t Id) {
  const Function &F = Graph.Func;
  if (F.hasLocalLinkage())
    return nullptr;
  if (!F.hasLinkOnceLinkage() && !F.hasWeakODRLinkage() && !F.hasComdat() &&
      !F.hasAvailableExternallyLinkage() &&
      !F.hasFnAttribute(Attribute::InlineHint) &&
      !F.hasFnAttribute(Attribute::AlwaysInline))
    return nullptr;
  return M.getOrInsertComdat(("__arcline_func." + Twine::utohexstr(Id)).str());
}

void ConstantData::addRecord(const FlowGraph &Graph, uint64_t Id,
                             bool DerivesArcs) {
  Comdat *Group = dataGroup(M, Graph, Id);
  unsigned Flags = (Group ? ARCLINE_FUNC_COMDAT : 0) |
                   (Graph.Func.hasLocalLinkage() ? ARCLINE_FUNC_LOCAL : 0) |
                   (Graph.Func.hasWeakAnyLinkage() ? ARCLINE_FUNC_WEAK : 0) |
                   (DerivesArcs ? ARCLINE_FUNC_ARCS : 0) |
                   (isMadeByCompiler(Graph.Func) ? ARCLINE_FUNC_MADE : 0);
  // The group that the linker picks may come from a unit that shortens nothing.
  const bool IsShort = Group || mayShorten(&Graph.Func);
  Record R{Id,
           Graph.NumCounters,
           Flags,
           encode(Graph),
           Group,
           Graph.Func.hasAvailableExternallyLinkage(),
           encodeLines(Graph),
           {},
           {},
           {}};
  if (Graph.Decisions)
    R.Decisions = encodeDecisions(Graph);
  if (IsShort && isLong(Graph.Func.getName()))
    R.Name = Graph.Func.getName().str();
  if (auto Found = Aliases.find(&Graph.Func); IsShort && Found != Aliases.end())
    for (StringRef Name : Found->second)
      if (isLong(Name))
        R.Aliases.push_back(Name.str());
  Records.push_back(std::move(R));
}

/// The record at Offset in Holder.
Constant *ConstantData::contents(const Record &R, Constant *Graph,
                                 GlobalVariable *Holder,
                                 uint64_t Offset) const {
  LLVMContext &Context = M.getContext();
  Type *I16 = Type::getInt16Ty(Context);
  auto Number = [&](uint64_t Value) {
    return ConstantInt::get(Type::getInt32Ty(Context), Value);
  };
  return ConstantStruct::get(
      RecordType,
      {ConstantInt::get(Type::getInt64Ty(Context), R.Id),
       relative(Graph, Holder, Offset + offsetof(arcline_func, graph)),
       Number(R.Graph.size()),
       relative(NameTable, Holder, Offset + offsetof(arcline_func, strings)),
       Number(Strings.bytes().size()), Number(R.NumCounters),
       ConstantInt::get(I16, ARCLINE_ABI_VERSION),
       ConstantInt::get(I16, R.Flags)});
}

static GlobalVariable *createRecords(Module &M, Type *Type, const Twine &Name) {
  auto *Records = new GlobalVariable(M, Type, true, GlobalValue::PrivateLinkage,
                                     ConstantAggregateZero::get(Type), Name);
  Records->setSection(ARCLINE_SECTION_FUNCS);
  Records->setAlignment(Align(8));
  Records->setUnnamedAddr(GlobalValue::UnnamedAddr::Local);
  return Records;
}

GlobalVariable *ConstantData::emitGrouped(const Record &R) const {
  GlobalVariable *Graph = createData(M, R.Graph, "__arcline_graph");
  Graph->setComdat(R.Group);
  GlobalVariable *Result = createRecords(M, RecordType, R.Group->getName());
  Result->setLinkage(GlobalValue::LinkOnceODRLinkage);
  Result->setVisibility(GlobalValue::HiddenVisibility);
  Result->setComdat(R.Group);
  Result->setInitializer(contents(R, Graph, Result, 0));
  return Result;
}

/// Emit the records that are in no group, in one piece, as are their graphs.
GlobalVariable *ConstantData::emitUngrouped(std::vector<RecordPlace> &Places) {
  std::string Bytes;
  uint64_t Number = 0;
  for (const Record &R : Records)
    if (!R.Group) {
      Bytes += R.Graph;
      ++Number;
    }
  if (!Number)
    return nullptr;
  GlobalVariable *Graphs = createData(M, Bytes, "__arcline_graphs");
  ArrayType *Type = ArrayType::get(RecordType, Number);
  GlobalVariable *Result = createRecords(M, Type, "__arcline_funcs");
  SmallVector<Constant *, 0> Rows;
  uint64_t GraphOffset = 0;
  for (size_t I = 0; I != Records.size(); ++I) {
    const Record &R = Records[I];
    if (R.Group)
      continue;
    const uint64_t Offset = Rows.size() * sizeof(arcline_func);
    Places[I] = {Result, Offset};
    Rows.push_back(contents(R, at(Graphs, GraphOffset), Result, Offset));
    GraphOffset += R.Graph.size();
  }
  Result->setInitializer(ConstantArray::get(Type, Rows));
  return Result;
}

std::vector<RecordPlace> ConstantData::finish() {
  std::vector<RecordPlace> Places(Records.size());
  if (Records.empty())
    return Places;
  LLVMContext &Context = M.getContext();

  NameTable = createData(M, Strings.bytes(), "__arcline_strings");
  // Smaller numbers have meanings of their own.
  const uint64_t FilesId = std::max<uint64_t>(3, MD5Hash(Files.bytes()));
  std::string Lines;
  raw_string_ostream OS(Lines);
  printEntry(OS, FilesId, ARCLINE_LINES_IS_LIST, Files.bytes(), "");
  SmallVector<GlobalValue *, 0> Used, Borrowed;
  if (GlobalVariable *Ungrouped = emitUngrouped(Places))
    Used.push_back(Ungrouped);
  for (size_t I = 0; I != Records.size(); ++I) {
    const Record &R = Records[I];
    const std::string OfRecord = linesAssembly(R, FilesId);
    if (!R.Group) {
      OS << OfRecord;
      continue;
    }
    GlobalVariable *Global = emitGrouped(R);
    Places[I] = {Global, 0};
    if (R.IsBorrowed) {
      Borrowed.push_back(Global);
      Global->setMetadata(
          LinesMetadata,
          MDNode::get(Context, {MDString::get(Context, OfRecord)}));
    } else {
      Used.push_back(Global);
      OS << OfRecord;
    }
  }
  appendToUsed(M, Used);
  appendToCompilerUsed(M, Borrowed);
  M.appendModuleInlineAsm(OS.str());
  return Places;
}

/// Is a record referred to by anything but itself?
static bool isReferred(const GlobalVariable &Record) {
  SmallVector<const User *, 8> Left(Record.user_begin(), Record.user_end());
  while (!Left.empty()) {
    const User *Next = Left.pop_back_val();
    if (isa<Instruction>(Next) ||
        (isa<GlobalVariable>(Next) && Next != &Record))
      return true;
    if (!isa<GlobalVariable>(Next))
      Left.append(Next->user_begin(), Next->user_end());
  }
  return false;
}

void settleBorrowed(Module &M) {
  SmallVector<GlobalVariable *, 0> Records;
  for (GlobalVariable &Record : M.globals())
    if (Record.hasMetadata(LinesMetadata))
      Records.push_back(&Record);
  if (Records.empty())
    return;
  removeFromUsedLists(M, [](Constant *C) {
    const auto *Record = dyn_cast<GlobalVariable>(C->stripPointerCasts());
    return Record && Record->hasMetadata(LinesMetadata);
  });
  SmallVector<GlobalValue *, 0> Kept;
  DenseSet<const Comdat *> Dropped;
  for (GlobalVariable *Record : Records) {
    if (isReferred(*Record)) {
      const MDNode *Lines = Record->getMetadata(LinesMetadata);
      M.appendModuleInlineAsm(
          cast<MDString>(Lines->getOperand(0))->getString());
      Record->setMetadata(LinesMetadata, nullptr);
      Kept.push_back(Record);
    } else {
      Dropped.insert(Record->getComdat());
      Record->setInitializer(nullptr);
      Record->removeDeadConstantUsers();
      Record->eraseFromParent();
    }
  }
  appendToUsed(M, Kept);
  for (GlobalVariable &Data : make_early_inc_range(M.globals()))
    if (Dropped.contains(Data.getComdat())) {
      Data.removeDeadConstantUsers();
      if (Data.use_empty())
        Data.eraseFromParent();
    }
}

} // namespace arcline

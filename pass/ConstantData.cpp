// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// All references are differences of two addresses: no run-time relocations.
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
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/GlobalAlias.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/LEB128.h"
#include "llvm/Support/MD5.h"
#include "llvm/Support/ModRef.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

#include <algorithm>
#include <cassert>
#include <cstddef>

using namespace llvm;

namespace arcline {

bool isBeforeLinkTimeOptimisation(const Module &M) {
  return M.getModuleFlag("EnableSplitLTOUnit") != nullptr;
}

/// Is it to be optimised by ThinLTO, which imports functions from other
/// modules? clang sets the flag to 0 for the other kind.
static bool isBeforeImports(const Module &M) {
  const auto *IsThin =
      mdconst::extract_or_null<ConstantInt>(M.getModuleFlag("ThinLTO"));
  return isBeforeLinkTimeOptimisation(M) && !(IsThin && IsThin->isZero());
}

/// The group of the data of a function that is in no group itself. Its name
/// contains that of the unit: local functions of other units have the same
/// names, and units that are linked before code is generated become one.
static Comdat *dataGroup(Function &F) {
  Module &M = *F.getParent();
  const std::string Names =
      (F.getName() + StringRef("\0", 1) + M.getSourceFileName()).str();
  Comdat *Group = M.getOrInsertComdat(
      "__arcline_body." + utohexstr(MD5Hash(Names), /*LowerCase=*/true));
  Group->setSelectionKind(Comdat::NoDeduplicate);
  return Group;
}

void attachTo(Function &F, GlobalVariable &Data) {
  const bool IsBeforeLink = isBeforeLinkTimeOptimisation(*F.getParent());
  Data.setComdat(F.hasComdat() || !IsBeforeLink ? F.getComdat() : dataGroup(F));
  // Data may not be tied to a function that another object has. At link time,
  // LLVM inlines functions that the linker then drops, drops groups that
  // another module has, and moves data of functions with types (-fsanitize=cfi)
  // to another module: data that is tied to them would make the link fail.
  if (!F.hasAvailableExternallyLinkage() && !IsBeforeLink)
    Data.setMetadata(LLVMContext::MD_associated,
                     MDNode::get(F.getContext(), ValueAsMetadata::get(&F)));
}

/// Does it run before main()?
static bool isConstructor(const Function &F) {
  const GlobalVariable *List =
      F.getParent()->getGlobalVariable("llvm.global_ctors");
  return List && List->hasInitializer() &&
         any_of(List->getInitializer()->operands(), [&](const Use &Row) {
           auto *Entry = dyn_cast<ConstantStruct>(&Row);
           return Entry && Entry->getOperand(1)->stripPointerCasts() == &F;
         });
}

/// May LLVM import F? Modules that call an inline function have a copy of it.
static bool mayBeImported(const Function &F) {
  return isBeforeImports(*F.getParent()) && !F.hasComdat() && !isConstructor(F);
}

// LLVM gives a local variable that an imported function refers to a name in the
// program, but not if the variable has a section (isNonRenamableLocal() in
// ModuleSummaryAnalysis.cpp): then it does not import the function. It has no
// such rule for sections by #pragma clang section. If variables were external
// instead, lld would keep all of them, and so unused functions, since the
// runtime refers to the bounds of the section. LLVM may align the data for
// vectors now. Copies of it are aligned as well: they begin with a page.
void putForCode(const Function &F, GlobalVariable &Data, StringRef Section) {
  if (!mayBeImported(F)) {
    Data.setSection(Section);
    return;
  }
  Data.addAttribute("data-section", Section);
  Data.addAttribute("bss-section", Section);
  // Sanitizers do not check data that has a section.
  GlobalValue::SanitizerMetadata Unchecked;
  Unchecked.NoAddress = true;
  Unchecked.NoHWAddress = true;
  Data.setSanitizerMetadata(Unchecked);
}

/// Let code refer to a table by assembly without text.
static void referFromCode(Function &F, GlobalVariable &Table) {
  IRBuilder<> Builder(&*F.getEntryBlock().getFirstInsertionPt());
  Builder.SetCurrentDebugLocation(DebugLoc());
  CallInst *Reference = Builder.CreateCall(
      InlineAsm::get(FunctionType::get(Builder.getVoidTy(), Table.getType(),
                                       /*isVarArg=*/false),
                     "", "i", /*hasSideEffects=*/true),
      &Table);
  Reference->setMemoryEffects(MemoryEffects::inaccessibleMemOnly());
  Reference->setDoesNotThrow();
  Reference->addFnAttr(Attribute::WillReturn);
}

/// Let the first cell's initial value, which is 0, refer to a table: it is the
/// distance from an alias, which LLVM computes when the modules are linked. But
/// cells without a section of their own (putForCode()) would then be in one
/// without contents, which bfd, gold and mold do not merge with those of its
/// name. So their alias is of a place in the table: LLVM leaves that to the
/// assembler.
static void referFromCells(GlobalVariable &Cells, GlobalVariable &Table) {
  auto *CellsType = cast<ArrayType>(Cells.getValueType());
  Type *I64 = CellsType->getElementType();
  const uint64_t Offset = Cells.hasSection() ? 0 : sizeof(arcline_rel32);
  auto *Place = GlobalAlias::create(
      Table.getValueType(), 0, GlobalValue::PrivateLinkage, "__arcline_same",
      Offset ? at(&Table, Offset) : &Table, Table.getParent());
  SmallVector<Constant *, 0> Values(CellsType->getNumElements(),
                                    Constant::getNullValue(I64));
  Values.front() = ConstantExpr::getAdd(
      ConstantExpr::getSub(ConstantExpr::getPtrToInt(&Table, I64),
                           ConstantExpr::getPtrToInt(Place, I64)),
      ConstantInt::get(I64, Offset));
  Cells.setInitializer(ConstantArray::get(CellsType, Values));
}

// If the table were in llvm.compiler.used instead, it would keep F, which
// nothing may call, and whose own references may lead nowhere. Linkers and
// LLVM's removal of globals need no reference: the cells are in the table's
// group. But modules are linked by references. Assembly is in the way of
// optimisations, such as those of a loop that F is inlined into. Constructors
// have it nevertheless: LLVM executes those that it can at link time, and would
// then drop their counts with the code.
void keepWithCode(Function &F, GlobalVariable *Cells, GlobalVariable &Table) {
  if (Cells && !isConstructor(F))
    referFromCells(*Cells, Table);
  else
    referFromCode(F, Table);
}

uint64_t zigzag(int64_t Value) {
  return (static_cast<uint64_t>(Value) << 1) ^
         static_cast<uint64_t>(Value >> 63);
}

ConstantData::ConstantData(Module &M, SourceFiles &Sources)
    : M(M), Sources(Sources), UnitId(getUniqueModuleId(&M)) {
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
  SmallString<1024> Text(Graph.Func.getName());
  // Each list ends with its length, so that different graphs have different
  // bytes.
  auto Add = [&](uint64_t Number) {
    char Bytes[sizeof Number];
    support::endian::write64le(Bytes, Number);
    Text.append(Bytes, Bytes + sizeof Bytes);
  };
  Add(Text.size());
  if (Graph.Func.hasLocalLinkage())
    Text += UnitId;
  Add(Text.size());
  Add(DerivesArcs);
  for (const FlowEdge &Edge : Graph.Edges) {
    Add(uint64_t(Edge.From) << 32 | Edge.To);
    Add(uint64_t(Edge.Kind) << 32 | Edge.Counter);
  }
  Add(Graph.Edges.size());
  for (const FlowNode &Node : Graph.Nodes) {
    for (const SourceLine &Line : Node.Lines)
      Add(Line.Line);
    Add(Node.Lines.size());
    for (const SourceLine &Line : Node.CodeLines)
      Add(Line.Line);
    Add(Node.CodeLines.size());
    Add(uint64_t(Node.Choice.Line) << 32 | Node.Choice.Column);
  }
  for (const CallSite &Call : Graph.Calls)
    Add(Call.At.Line);
  Add(Graph.Calls.size());
  if (Graph.Decisions)
    Text += encodeDecisions(Graph);
  return MD5Hash(Text);
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
/// its place, the name identifies that function; and an inline function that is
/// left to another object has no record here.
static bool mayShorten(const Function *F) {
  return F && F->hasFnAttribute(EligibleAttribute) && !F->isDeclaration() &&
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

/// The digest of a file's text; empty if the compiler has none, as of text from
/// a preprocessor, or with DWARF 4.
static std::string digestOf(const DIFile *File) {
  std::string Digest;
  const auto Checksum = File ? File->getChecksum() : std::nullopt;
  if (!Checksum || Checksum->Kind != DIFile::CSK_MD5 ||
      !tryGetFromHex(Checksum->Value, Digest) ||
      Digest.size() != ARCLINE_DIGEST_BYTES)
    Digest.clear();
  return Digest;
}

uint64_t ConstantData::fileOffset(const DIFile *File, const FlowGraph &Graph) {
  const uint64_t Offset = Files.offsetOf(Sources.name(File, Graph.Unit));
  std::string &Digest = Digests[Offset];
  if (Offset != 0 && Digest.empty())
    Digest = digestOf(File);
  return Offset;
}

/// The digests of all files, in their order; empty if none is known.
std::string ConstantData::digests() const {
  std::string Result;
  const StringRef Names = Files.bytes();
  for (size_t At = 1; At < Names.size(); At = Names.find('\0', At) + 1) {
    const std::string Digest = Digests.lookup(At);
    Result += Digest.empty() ? std::string(ARCLINE_DIGEST_BYTES, '\0') : Digest;
  }
  return Result.find_first_not_of('\0') == std::string::npos ? "" : Result;
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

/// Print a byte of a string of the assembler.
///
/// BeforeDigit  are all digits of an octal number necessary?
static void printByte(raw_ostream &OS, uint8_t Byte, bool BeforeDigit) {
  if (isPrint(char(Byte)) && Byte != '"' && Byte != '\\') {
    OS << char(Byte);
    return;
  }
  OS << '\\';
  if (Byte > 077 || BeforeDigit)
    OS << char('0' + (Byte >> 6));
  if (Byte > 07 || BeforeDigit)
    OS << char('0' + (Byte >> 3 & 7));
  OS << char('0' + (Byte & 7));
}

/// An entry of ARCLINE_SECTION_LINES, which is the current section.
///
/// Group  name of the group to be in; empty for none
static void printEntry(raw_ostream &OS, uint64_t Id, uint64_t Files,
                       StringRef Bytes, StringRef Group) {
  if (!Group.empty())
    OS << ".pushsection " ARCLINE_SECTION_LINES ",\"G\",%progbits,\"" << Group
       << "\",comdat\n";
  // In one string: the assembler takes ten times as long for a number.
  char Head[ARCLINE_LINES_HEAD_BYTES];
  support::endian::write64le(Head, Id);
  support::endian::write64le(Head + 8, Files);
  support::endian::write32le(Head + 16, uint32_t(Bytes.size()));
  const std::string All = (StringRef(Head, sizeof Head) + Bytes).str();
  OS << ".ascii \"";
  for (size_t I = 0; I != All.size(); ++I)
    printByte(OS, uint8_t(All[I]), I + 1 != All.size() && isDigit(All[I + 1]));
  OS << "\"\n";
  if (!Group.empty())
    OS << ".popsection\n";
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
  const std::string GroupName =
      HasGroups && R.Flags & ARCLINE_FUNC_COMDAT ? recordGroup(R.Id) : "";
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

/// Functions of which the linker picks one (inline functions, templates) need a
/// record that it picks in the same way, in a separate group: code of such a
/// function may be inlined into functions that are kept if its group is
/// dropped. This applies also to the inline functions of C and to instances of
/// `extern template`, which one object owns and others copy.
static bool isGrouped(const Function &F) {
  return !F.hasLocalLinkage() &&
         (F.hasLinkOnceLinkage() || F.hasWeakODRLinkage() || F.hasComdat() ||
          F.hasAvailableExternallyLinkage() ||
          F.hasFnAttribute(Attribute::InlineHint) ||
          F.hasFnAttribute(Attribute::AlwaysInline));
}

void ConstantData::addRecord(const FlowGraph &Graph, uint64_t Id,
                             bool DerivesArcs) {
  const bool IsGrouped = isGrouped(Graph.Func);
  unsigned Flags = (IsGrouped ? ARCLINE_FUNC_COMDAT : 0) |
                   (Graph.Func.hasLocalLinkage() ? ARCLINE_FUNC_LOCAL : 0) |
                   (Graph.Func.hasWeakAnyLinkage() ? ARCLINE_FUNC_WEAK : 0) |
                   (DerivesArcs ? ARCLINE_FUNC_ARCS : 0) |
                   (isMadeByCompiler(Graph.Func) ? ARCLINE_FUNC_MADE : 0);
  // The group that the linker picks may come from a unit that shortens nothing.
  const bool IsShort = IsGrouped || mayShorten(&Graph.Func);
  Record R{Id,
           Graph.NumCounters,
           Flags,
           encode(Graph),
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

std::vector<RecordData> ConstantData::finish() {
  std::vector<RecordData> Result;
  if (Records.empty())
    return Result;
  // Smaller numbers have meanings of their own.
  const std::string FileDigests = digests();
  const uint64_t FilesId =
      std::max<uint64_t>(4, MD5Hash((Files.bytes() + FileDigests).str()));
  std::string List;
  raw_string_ostream OS(List);
  printEntry(OS, FilesId, ARCLINE_LINES_IS_LIST, Files.bytes(), "");
  if (!FileDigests.empty())
    printEntry(OS, arcline_digests_id(FilesId), ARCLINE_LINES_IS_DIGESTS,
               FileDigests, "");
  noteUnit(M, Strings.bytes(), OS.str());
  for (Record &R : Records) {
    R.Lines = linesAssembly(R, FilesId);
    Result.push_back(
        {R.Id, R.NumCounters, R.Flags, R.IsBorrowed, R.Graph, R.Lines});
  }
  return Result;
}

} // namespace arcline

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Inserts the counters of all functions before the optimiser runs.
//
// Plans first, changes afterwards: the flow graphs of all functions are built
// before the first counter is inserted, so that no plan sees counters of
// another.
//
//   atomicrmw add ptr @counters.f+8*k, i64 1 syncscope("arcline.N") monotonic
//
// on an array of the function f, in one piece (Counters.h), until PlacePass
// gives each function that f is inlined into cells of its own. An edge that is
// counted before its branch adds the condition instead of 1 (IfConversion.h).
//
// PlacePass finds the code of a node by its mark (NodeMarks.h). A probe would
// keep the branch of a second compare, though, which may become part of the
// first: metadata of the branch marks it instead, which is removed together
// with the branch.

#include "CallSites.h"
#include "Compat.h"
#include "ConstantData.h"
#include "Counters.h"
#include "FlowGraph.h"
#include "IfConversion.h"
#include "InlineAdvice.h"
#include "JoinedCounters.h"
#include "Lifetimes.h"
#include "NodeMarks.h"
#include "Passes.h"
#include "RuntimeCalls.h"
#include "SourceFiles.h"
#include "SourceFunctions.h"
#include "SourceLines.h"
#include "SourceText.h"

#include "llvm/ADT/DepthFirstIterator.h"
#include "llvm/Analysis/BlockFrequencyInfo.h"
#include "llvm/Analysis/BranchProbabilityInfo.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/DiagnosticPrinter.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/TargetParser/Triple.h"
#include "llvm/Transforms/Scalar/LowerExpectIntrinsic.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

#include <algorithm>
#include <cmath>
#include <memory>

using namespace llvm;

namespace arcline {

namespace {

/// Inserts the counters of one function.
class CounterInserter {
public:
  CounterInserter(const FlowGraph &Graph, uint64_t Id, GlobalVariable *Counters,
                  MDNode *AccessTag, const LoopInfo &Loops)
      : Graph(Graph), Id(Id), Counters(Counters), AccessTag(AccessTag),
        Loops(Loops) {}

  void insert() {
    std::vector<uint32_t> Marked(Graph.NumCounters, NoNode); // by counter
    std::vector<bool> HasMark(Graph.Nodes.size());
    // Unoptimised code is split at probes, so they have to be the first.
    if (!Graph.Func.hasOptNone())
      for (const FlowEdge &Edge : Graph.Edges)
        if (const auto N = nodeCountedAt(Edge)) {
          Marked[Edge.Counter] = *N;
          HasMark[*N] = true;
        }
    if (Counters)
      setMarkedNodes(*Counters, Id, Marked);
    // Probes first: they mark the beginning of a node before counters move the
    // instruction there.
    for (unsigned N = 0; N != Graph.Nodes.size(); ++N)
      if (!HasMark[N])
        mark(N);
    for (const FlowEdge &Edge : Graph.Edges)
      if (Edge.Counter != FlowEdge::NoCounter)
        count(Edge);
  }

private:
  void mark(unsigned N);
  std::optional<unsigned> nodeCountedAt(const FlowEdge &Edge) const;
  void count(const FlowEdge &Edge);
  Instruction *beginOf(unsigned N) const;
  Instruction *placeOf(const FlowEdge &Edge) const;

  const FlowGraph &Graph;
  uint64_t Id;
  GlobalVariable *Counters; // null if no edge has one
  MDNode *AccessTag;
  const LoopInfo &Loops; // of the function before the change
};

} // namespace

/// The first instruction of the entry block that belongs to a source line.
/// Before it are allocas and the stores of parameters. A debugger stops after
/// them, so that no instruction with a line must be added to them.
static Instruction *firstInBody(const FlowNode &Entry) {
  Instruction *I = Entry.First;
  while (I != Entry.Last) {
    bool IsCall = isa<CallBase>(I) && !isa<IntrinsicInst>(I);
    bool HasLine = I->getDebugLoc() && I->getDebugLoc().getLine() != 0;
    if (IsCall || (HasLine && !I->isDebugOrPseudoInst() && !isa<AllocaInst>(I)))
      break;
    I = I->getNextNode();
  }
  return I;
}

/// The place for code that runs whenever node N begins, or null if the node has
/// none (a catchswitch).
Instruction *CounterInserter::beginOf(unsigned N) const {
  const FlowNode &Node = Graph.Nodes[N];
  Instruction *Place;
  if (N == 0)
    Place = firstInBody(Node);
  else if (Node.First == &Node.Block->front() || isa<PHINode>(Node.First)) {
    auto At = Node.Block->getFirstInsertionPt();
    if (At == Node.Block->end())
      return nullptr;
    Place = &*At;
  } else
    Place = Node.First;
  // No instruction may be between a tail call and its return.
  if (Node.TailCall && Node.TailCall->comesBefore(Place))
    return Node.TailCall;
  return Place;
}

/// The node at whose beginning an edge is counted, if it is counted at one.
std::optional<unsigned>
CounterInserter::nodeCountedAt(const FlowEdge &Edge) const {
  if (Edge.Counter == FlowEdge::NoCounter || Edge.IsAhead)
    return std::nullopt;
  if (Edge.Kind == ARCLINE_EDGE_ENTRY || Edge.Kind == ARCLINE_EDGE_REENTRY)
    return Edge.To;
  const FlowNode &From = Graph.Nodes[Edge.From];
  if (Edge.Kind == ARCLINE_EDGE_EXIT) {
    // The call before it does not return.
    return isa<UnreachableInst>(From.Last) ? std::optional(Edge.From)
                                           : std::nullopt;
  }
  const bool IsInBlock = !From.Last->isTerminator();
  const bool HasChoice = Graph.outDegree(Edge.From) != 1 || From.IsOutcome;
  const BasicBlock *To = Graph.Nodes[Edge.To].Block;
  return IsInBlock || (HasChoice && To->getUniquePredecessor() == From.Block)
             ? std::optional(Edge.To)
             : std::nullopt;
}

Instruction *CounterInserter::placeOf(const FlowEdge &Edge) const {
  if (const auto N = nodeCountedAt(Edge))
    return beginOf(*N);
  const FlowNode &From = Graph.Nodes[Edge.From];
  if (Edge.Kind == ARCLINE_EDGE_EXIT ||
      (Graph.outDegree(Edge.From) == 1 && !From.IsOutcome))
    return From.TailCall ? From.TailCall : From.Last;
  const FlowNode &To = Graph.Nodes[Edge.To];
  CriticalEdgeSplittingOptions Split;
  Split.setMergeIdenticalEdges();
  BasicBlock *Middle = SplitCriticalEdge(From.Last, Edge.Successor, Split);
  assert(Middle && "the graph has no edges that cannot be split");
  // Metadata of the source loop is on the back edge.
  const Loop *L = Loops.getLoopFor(To.Block);
  if (L && L->getHeader() == To.Block && L->contains(From.Block)) {
    Middle->getTerminator()->setMetadata(
        LLVMContext::MD_loop, From.Last->getMetadata(LLVMContext::MD_loop));
    From.Last->setMetadata(LLVMContext::MD_loop, nullptr);
  }
  return Middle->getTerminator();
}

void CounterInserter::count(const FlowEdge &Edge) {
  const CounterRef Counter = {Counters, Edge.Counter};
  if (Edge.IsAhead) {
    const FlowNode &From = Graph.Nodes[Edge.From];
    Instruction *Place = From.Condition ? From.Place : From.Last;
    Value *Condition =
        From.Condition ? From.Condition : asConditional(*Place)->getCondition();
    addToCounter(Place, Counter, takenAhead(Edge, Condition, Place), AccessTag);
    return;
  }
  addToCounter(placeOf(Edge), Counter,
               ConstantInt::get(Type::getInt64Ty(Graph.Func.getContext()), 1),
               AccessTag);
}

void CounterInserter::mark(unsigned N) {
  Instruction *Place = beginOf(N);
  if (!Place || Graph.Nodes[N].IsAfterCondition)
    return;
  if (Graph.Nodes[N].IsSecondCompare) {
    IRBuilder<> Builder(Place);
    const auto Part = [](ConstantInt *C) { return ConstantAsMetadata::get(C); };
    Graph.Nodes[N].Last->setMetadata(
        NodeMetadata,
        MDNode::get(Builder.getContext(),
                    {Part(Builder.getInt64(Id)), Part(Builder.getInt64(N))}));
    return;
  }
  insertProbe(Place, Id, N);
}

/// If the plugin cannot advise the inliner, small functions must seem about as
/// small as without counters. Larger bonuses overrate functions with branches
/// that disappear when they are inlined.
static void makeUpForSize(Function &F, unsigned NumCounters,
                          unsigned NumMarkers) {
  constexpr unsigned PerCounter = 5, PerMarker = 15, Most = 45;
  constexpr StringLiteral Bonus = "call-threshold-bonus";
  if (!F.hasFnAttribute(Bonus))
    F.addFnAttr(Bonus,
                std::to_string(std::min(Most, NumCounters * PerCounter +
                                                  NumMarkers * PerMarker)));
}

/// Estimates frequencies of blocks from loops and branches alone. For functions
/// that are not optimised, since LLVM's estimate takes a multiple of the time.
static DenseMap<const BasicBlock *, double>
estimateFrequencies(const DominatorTree &Tree, const LoopInfo &Loops) {
  constexpr double Iterations = 32;
  constexpr unsigned MaxDepth = 10;
  auto DepthOf = [&](const BasicBlock *Block) {
    return int(std::min(Loops.getLoopDepth(Block), MaxDepth));
  };
  DenseMap<const BasicBlock *, double> Found;
  for (const DomTreeNode *Node : depth_first(Tree.getRootNode())) {
    const BasicBlock *Block = Node->getBlock();
    double Frequency = 1;
    if (const DomTreeNode *Above = Node->getIDom()) {
      const BasicBlock *Branch = Above->getBlock();
      // A block at which ways join again is reached by all of them.
      Frequency = Found[Branch] *
                  std::pow(Iterations, DepthOf(Block) - DepthOf(Branch));
      if (Block->getSinglePredecessor())
        Frequency /= Branch->getTerminator()->getNumSuccessors();
    }
    Found[Block] = isa<UnreachableInst>(Block->getTerminator()) ? 0 : Frequency;
  }
  return Found;
}

static void chooseCounters(FlowGraph &Graph, FunctionAnalysisManager &FAM) {
  Function &F = Graph.Func;
  if (F.hasOptNone()) {
    const auto Frequencies =
        estimateFrequencies(FAM.getResult<DominatorTreeAnalysis>(F),
                            FAM.getResult<LoopAnalysis>(F));
    Graph.chooseCounters([&](const BasicBlock *Block, const BasicBlock *Next) {
      constexpr double Unit = 1024;
      double Frequency = Frequencies.lookup(Block);
      if (Next)
        Frequency =
            std::min(Frequency / Block->getTerminator()->getNumSuccessors(),
                     Frequencies.lookup(Next));
      return uint64_t(Unit * Frequency);
    });
    return;
  }
  const auto &Frequencies = FAM.getResult<BlockFrequencyAnalysis>(F);
  const auto &Probabilities = FAM.getResult<BranchProbabilityAnalysis>(F);
  Graph.chooseCounters([&](const BasicBlock *Block, const BasicBlock *Next) {
    const uint64_t Frequency = Frequencies.getBlockFreq(Block).getFrequency();
    return Next ? Probabilities.getEdgeProbability(Block, Next).scale(Frequency)
                : Frequency;
  });
}

static void instrumentBlocks(Module &M, ArrayRef<Function *> Functions,
                             const Options &Wanted,
                             FunctionAnalysisManager &FAM) {
  std::vector<std::unique_ptr<FlowGraph>> Graphs;
  SourceFiles Files(M);
  SourceText Text(Files);
  for (Function *F : Functions) {
    // The optimiser would do it next; the expected outcome decides where to
    // count.
    if (!F->hasOptNone())
      FAM.invalidate(*F, LowerExpectIntrinsicPass().run(*F, FAM));
    const SourceBranches Source(*F, Text);
    Graphs.push_back(std::make_unique<FlowGraph>(*F, &Source));
    if (!F->hasOptNone())
      findIfConversions(*Graphs.back());
    chooseCounters(*Graphs.back(), FAM);
    if (Wanted.Decisions)
      findDecisions(*Graphs.back());
    collectLines(*Graphs.back(), Text,
                 FAM.getResult<DominatorTreeAnalysis>(*F));
  }

  ConstantData Constants(M, Files);
  MDNode *AccessTag = counterAccessTag(M);
  SmallVector<GlobalValue *, 0> Arrays;
  // The records are encoded before the code changes under the graphs.
  std::vector<uint64_t> Ids;
  const bool DerivesArcs = Wanted.Calls == CallCounting::Sites;
  for (const auto &Graph : Graphs) {
    Ids.push_back(Constants.identify(*Graph, DerivesArcs));
    Constants.addRecord(*Graph, Ids.back(), DerivesArcs);
  }
  const std::vector<RecordData> Records = Constants.finish();
  for (size_t I = 0; I != Graphs.size(); ++I) {
    const std::unique_ptr<FlowGraph> &Graph = Graphs[I];
    const uint64_t Id = Ids[I];
    Function &F = Graph->Func;
    GlobalVariable *Counters = nullptr;
    if (Graph->NumCounters) {
      Counters = createCounters(M, Graph->NumCounters, F.getName());
      Arrays.push_back(Counters);
    }
    // Only LLVM 16 uses it.
    [[maybe_unused]] unsigned NumMarkers =
        DerivesArcs ? markIndirectCalls(*Graph, Id) : 0;
    CounterInserter(*Graph, Id, Counters, AccessTag,
                    FAM.getResult<LoopAnalysis>(F))
        .insert();
    if (Graph->Decisions)
      countDecisions(*Graph, Counters, AccessTag);
    if (!HasInlineAdvisor)
      makeUpForSize(F, Graph->NumCounters, NumMarkers);
    SourceFunctions::note(F, Records[I], Counters);
  }
  if (Wanted.Promote && !Arrays.empty())
    Arrays.push_back(createJoinedCounters(M));
  // Their addresses are taken, so LLVM does not split them.
  appendToCompilerUsed(M, Arrays);
}

/// Make the program's processes add up their profiles in the folder, as
/// ARCLINE_OPTIONS can, too.
static void emitSuite(Module &M, StringRef Folder) {
  std::string Text = "out=";
  for (const char C : Folder)
    Text += C == '%' ? std::string("%%") : std::string(1, C);
  Text += "/%m";
  Constant *Value = ConstantDataArray::getString(M.getContext(), Text);
  // No global symbol: tests of libraries reject names without their prefix.
  auto *Variable =
      new GlobalVariable(M, Value->getType(), true, GlobalValue::PrivateLinkage,
                         Value, ARCLINE_SECTION_OPTIONS);
  Variable->setSection(ARCLINE_SECTION_OPTIONS);
  Variable->setAlignment(Align(1));
  // Each object of the program has the same; a linker keeps one of them.
  Variable->setComdat(M.getOrInsertComdat(ARCLINE_SECTION_OPTIONS));
  appendToUsed(M, {Variable});
}

/// Drop the front end's requests for mcount, which were used as marks.
static void dropEntryRequests(Module &M) {
  for (Function &F : M) {
    F.removeFnAttr("instrument-function-entry-inlined");
    F.removeFnAttr("fentry-call");
  }
}

static void markAllLifetimes(Module &M, const Options &Wanted) {
  if (Wanted.Lifetimes)
    for (Function &F : M)
      markLifetimes(F);
}

namespace {

/// Of -Wbackend-plugin, clang's class of diagnostics from plugins.
class TargetWarning : public DiagnosticInfo {
public:
  explicit TargetWarning(const Module &M)
      : DiagnosticInfo(getNextAvailablePluginDiagnosticKind(), DS_Warning),
        Target(M.getTargetTriple()) {}

  void print(DiagnosticPrinter &Out) const override {
    Out << "arcline: code is not instrumented: " << Target.str()
        << " is not supported (64-bit Linux on x86-64, AArch64 and RISC-V is); "
           "compile it without Arcline, or use -Wno-backend-plugin";
  }

private:
  const Triple Target;
};

} // namespace

PreservedAnalyses CountPass::run(Module &M, ModuleAnalysisManager &AM) {
  // Loaded twice, or run again at link time.
  if (M.getModuleFlag(InstrumentedFlag))
    return PreservedAnalyses::all();
  const Options Wanted = Options::fromEnvironment(M);
  if (Wanted.Calls == CallCounting::Off && !Wanted.Blocks)
    return PreservedAnalyses::all();
  if (Wanted.Decisions && M.getContext().shouldDiscardValueNames()) {
    M.getContext().emitError("arcline: mcdc=on requires names of blocks; use "
                             "-fno-discard-value-names, or arcline-cc");
    return PreservedAnalyses::all();
  }
  M.addModuleFlag(Module::Max, InstrumentedFlag, 1);
  if (!hasRuntime(M)) {
    M.getContext().diagnose(TargetWarning(M));
    dropEntryRequests(M);
    markAllLifetimes(M, Wanted);
    return PreservedAnalyses::none();
  }
  M.addModuleFlag(Module::Max, CallsFlag, static_cast<unsigned>(Wanted.Calls));
  // Handlers would not see counts in registers.
  if (Wanted.Blocks && Wanted.Promote && !Wanted.Atomic)
    M.getOrInsertNamedMetadata(PromoteMetadata);
  if (Wanted.Segment)
    M.getOrInsertNamedMetadata(SegmentMetadata);
  if (Wanted.Atomic)
    M.getOrInsertNamedMetadata(AtomicMetadata);
  if (Wanted.Announced)
    M.getOrInsertNamedMetadata(AnnouncedMetadata);

  SmallVector<Function *, 0> Functions;
  const Eligibility Eligible(M);
  for (Function &F : M)
    if (Eligible.mayInstrument(F))
      Functions.push_back(&F);
  dropEntryRequests(M);
  for (Function *F : Functions)
    F->addFnAttr(EligibleAttribute, F->getName());
  for (Function *Resolver : Eligible.resolvers())
    if (!Resolver->isDeclaration())
      insertResolverCall(*Resolver);
  if (!Wanted.Suite.empty() && !Functions.empty())
    emitSuite(M, Wanted.Suite);
  if (Wanted.Blocks && !Functions.empty())
    instrumentBlocks(
        M, Functions, Wanted,
        AM.getResult<FunctionAnalysisManagerModuleProxy>(M).getManager());
  markAllLifetimes(M, Wanted);
  return PreservedAnalyses::none();
}

} // namespace arcline

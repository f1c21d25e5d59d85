// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Plan first, change afterwards: the flow graphs of all functions are built
// before the first counter goes in, so that no plan sees another's code.
//
//   %n = load i64, ptr @counters+8*k      plain, on an array of the unit;
//   %m = add i64 %n, 1                    PlacePass moves it to the thread's
//   store i64 %m, ptr @counters+8*k       copy later
//
// A probe (llvm.pseudoprobe, which hardly disturbs the optimiser and survives
// inlining) marks each node, so that PlacePass finds what became of it.

#include "ConstantData.h"
#include "FlowGraph.h"
#include "Passes.h"

#include "llvm/Analysis/BlockFrequencyInfo.h"
#include "llvm/Analysis/BranchProbabilityInfo.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

#include <memory>

using namespace llvm;

namespace arcline {

namespace {

/// Inserts the counters of one function.
class CounterInserter {
public:
  CounterInserter(const FlowGraph &Graph, const FunctionData &Data)
      : Graph(Graph), Data(Data) {}

  void insert() {
    // Probes first: they mark where a node begins before counters move the
    // instruction that stands there.
    for (unsigned N = 0; N != Graph.Nodes.size(); ++N)
      insertProbe(N);
    for (const FlowEdge &Edge : Graph.Edges)
      if (Edge.Counter != FlowEdge::NoCounter)
        increment(placeOf(Edge), Edge.Counter);
  }

private:
  void insertProbe(unsigned N);
  void increment(Instruction *Before, unsigned Counter);
  Instruction *beginOf(unsigned N) const;
  Instruction *placeOf(const FlowEdge &Edge) const;

  const FlowGraph &Graph;
  const FunctionData &Data;
};

} // namespace

/// The first instruction of the entry block that belongs to a source line.
/// Before it stand allocas and the stores of parameters; a debugger stops
/// behind them, so they must not get company that has a line.
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

/// The place for something that happens whenever node N begins, or null if the
/// node has none (a catchswitch).
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
  // Nothing may come between a musttail call and its return.
  if (CallInst *Tail = Node.Block->getTerminatingMustTailCall())
    if (Place != Tail && Tail->comesBefore(Place))
      Place = Tail;
  return Place;
}

Instruction *CounterInserter::placeOf(const FlowEdge &Edge) const {
  switch (Edge.Kind) {
  case ARCLINE_EDGE_ENTRY:
  case ARCLINE_EDGE_REENTRY:
    return beginOf(Edge.To);
  case ARCLINE_EDGE_EXIT: {
    BasicBlock *Block = Graph.Nodes[Edge.From].Block;
    if (CallInst *Tail = Block->getTerminatingMustTailCall())
      return Tail;
    // The call before it does not return.
    if (isa<UnreachableInst>(Block->getTerminator()))
      return beginOf(Edge.From);
    return Block->getTerminator();
  }
  default:
    break;
  }
  const FlowNode &From = Graph.Nodes[Edge.From];
  const FlowNode &To = Graph.Nodes[Edge.To];
  if (!From.Last->isTerminator())
    return beginOf(Edge.To);
  if (Graph.outDegree(Edge.From) == 1)
    return From.Last;
  if (To.Block->getUniquePredecessor() == From.Block)
    return beginOf(Edge.To);
  CriticalEdgeSplittingOptions Split;
  Split.setMergeIdenticalEdges();
  BasicBlock *Middle = SplitCriticalEdge(From.Last, Edge.Successor, Split);
  assert(Middle && "the graph has no edges that cannot be split");
  return Middle->getTerminator();
}

void CounterInserter::insertProbe(unsigned N) {
  Instruction *Place = beginOf(N);
  if (!Place)
    return;
  IRBuilder<> Builder(Place);
  Builder.CreateIntrinsic(Intrinsic::pseudoprobe, {},
                          {Builder.getInt64(Data.Id), Builder.getInt64(N),
                           Builder.getInt32(0), Builder.getInt64(-1)});
}

void CounterInserter::increment(Instruction *Before, unsigned Counter) {
  IRBuilder<> Builder(Before);
  Value *Cell = Builder.CreateConstInBoundsGEP2_64(
      Data.Counters->getValueType(), Data.Counters, 0,
      Data.FirstCounter + Counter);
  Value *Count = Builder.CreateLoad(Builder.getInt64Ty(), Cell);
  Builder.CreateStore(Builder.CreateAdd(Count, Builder.getInt64(1)), Cell);
}

static GlobalVariable *createCounters(Module &M, unsigned Number,
                                      GlobalValue::LinkageTypes Linkage,
                                      const Twine &Name) {
  ArrayType *Type = ArrayType::get(Type::getInt64Ty(M.getContext()), Number);
  auto *Counters = new GlobalVariable(M, Type, false, Linkage,
                                      ConstantAggregateZero::get(Type), Name);
  Counters->setSection(ARCLINE_SECTION_COUNTERS);
  Counters->setAlignment(Align(8));
  return Counters;
}

/// Functions that the linker picks one of (inline functions, templates) need
/// counters and a record that it picks likewise, in a group of their own: code
/// of such a function may be inlined where its group does not go. The id in the
/// group's name keeps apart what was compiled to different graphs.
static Comdat *dataGroup(Module &M, const FlowGraph &Graph, uint64_t Id) {
  const Function &F = Graph.Func;
  if (!F.hasLinkOnceLinkage() && !F.hasWeakODRLinkage() && !F.hasComdat())
    return nullptr;
  if (F.hasLocalLinkage())
    return nullptr;
  return M.getOrInsertComdat((F.getName() + "." + Twine::utohexstr(Id)).str());
}

static void instrumentBlocks(Module &M, ArrayRef<Function *> Functions,
                             FunctionAnalysisManager &FAM) {
  std::vector<std::unique_ptr<FlowGraph>> Graphs;
  for (Function *F : Functions)
    Graphs.push_back(std::make_unique<FlowGraph>(
        *F, FAM.getResult<BlockFrequencyAnalysis>(*F),
        FAM.getResult<BranchProbabilityAnalysis>(*F)));

  // Counters of all functions that exist once are one array: whatever gets
  // inlined into what, one base register reaches them all.
  ConstantData Constants(M);
  std::vector<FunctionData> Data;
  unsigned NumShared = 0;
  for (const auto &Graph : Graphs) {
    uint64_t Id = Constants.identify(*Graph);
    Comdat *Group = dataGroup(M, *Graph, Id);
    Data.push_back({Id, Group, nullptr, Group ? 0 : NumShared});
    if (!Group)
      NumShared += Graph->NumCounters;
  }
  GlobalVariable *Shared = createCounters(
      M, NumShared, GlobalValue::PrivateLinkage, "__arcline_counters");

  LLVMContext &Context = M.getContext();
  NamedMDNode *Records = M.getOrInsertNamedMetadata(RecordsMetadata);
  for (auto [Graph, D] : zip(Graphs, Data)) {
    D.Counters = Shared;
    if (D.Group) {
      D.Counters =
          createCounters(M, Graph->NumCounters, GlobalValue::LinkOnceODRLinkage,
                         "__arcline_counters." + D.Group->getName());
      D.Counters->setVisibility(GlobalValue::HiddenVisibility);
      D.Counters->setComdat(D.Group);
    }
    // The record is encoded before the code changes under the graph.
    GlobalVariable *Record = Constants.addRecord(*Graph, D);
    CounterInserter(*Graph, D).insert();
    Metadata *Id = ConstantAsMetadata::get(
        ConstantInt::get(Type::getInt64Ty(Context), D.Id));
    Records->addOperand(
        MDNode::get(Context, {Id, ValueAsMetadata::get(&Graph->Func),
                              ValueAsMetadata::get(Record)}));
  }
  Constants.finish();
}

PreservedAnalyses CountPass::run(Module &M, ModuleAnalysisManager &AM) {
  // Loaded twice, or run again at link time.
  if (M.getModuleFlag(InstrumentedFlag))
    return PreservedAnalyses::all();
  const Options Wanted = Options::fromEnvironment(M);
  if (!Wanted.Calls && !Wanted.Blocks)
    return PreservedAnalyses::all();
  M.addModuleFlag(Module::Max, InstrumentedFlag, 1);

  SmallVector<Function *, 0> Functions;
  const Eligibility Eligible(M);
  for (Function &F : M)
    if (Eligible.mayInstrument(F))
      Functions.push_back(&F);
  for (Function &F : M)
    F.removeFnAttr("instrument-function-entry-inlined");
  if (Wanted.Calls)
    for (Function *F : Functions)
      F->addFnAttr(EligibleAttribute, F->getName());
  if (Wanted.Blocks && !Functions.empty())
    instrumentBlocks(
        M, Functions,
        AM.getResult<FunctionAnalysisManagerModuleProxy>(M).getManager());
  return PreservedAnalyses::none();
}

} // namespace arcline

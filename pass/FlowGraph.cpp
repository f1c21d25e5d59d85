// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Counts stay exact although calls may not return: a block is cut after every
// call that may end the process, unwind, jump away or loop for ever, and the
// piece before the cut gets a second edge, to EXIT, that absorbs the calls that
// did not return. All these edges lead to EXIT, so they form a star and always
// fit into the spanning tree together: they need no counter.
//
// Nodes that are entered in ways that cannot be distinguished (landing pads,
// targets of a computed goto, the second return of setjmp) are modelled as
// entered from EXIT, over an edge counted at the node itself; code that jumps
// there leaves to EXIT. So no edge needs to be split that LLVM cannot split.
//
// A suspended coroutine returns to its caller in this way only. Code that runs
// when it is resumed or destroyed follows the suspension as it does in the
// source: otherwise a statement would be entered again. The edge to EXIT
// absorbs coroutines that are not resumed.
//
// A condition of the source is a branch of the graph even if the code has none.
// A condition whose outcome is a value has two edges to a node without code,
// which continues as the code does. A block that continues by the outcome of &&
// or || is two nodes, one for each outcome; the last operand has edges to both.
//
// A call in tail position does not cut its block, and no counter is inserted
// between it and the return: otherwise it would no longer be a jump, and
// recursion in constant space would need a stack. If such a call does not
// return, it is counted as if it had.

#include "FlowGraph.h"
#include "Compat.h"
#include "CoroutineCode.h"
#include "Markers.h"
#include "Passes.h"
#include "SourceLines.h"
#include "UnwindCode.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/IntEqClasses.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/GlobalAlias.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>
#include <numeric>

using namespace llvm;

namespace arcline {

bool mayReturnTwice(const CallBase &Call) {
  // __builtin_setjmp has no attribute.
  return Call.hasFnAttr(Attribute::ReturnsTwice) ||
         Call.getIntrinsicID() == Intrinsic::eh_sjlj_setjmp;
}

/// May control not return from this call?
bool mayNotReturn(const CallBase &Call) {
  if (mayReturnTwice(Call))
    return true;
  // Intrinsics and inline assembly that leave do so as terminators.
  if (isa<IntrinsicInst>(Call) || Call.isInlineAsm())
    return false;
  return !(Call.doesNotThrow() && Call.hasFnAttr(Attribute::WillReturn));
}

/// The switch at the end of a block that suspends a coroutine. Its default is
/// to return to the caller; the cases run when the coroutine is resumed or
/// destroyed. Null if there is none.
static const SwitchInst *switchOfSuspended(const BasicBlock &Block) {
  const auto *Switch = dyn_cast<SwitchInst>(Block.getTerminator());
  const auto *Way =
      Switch ? dyn_cast<Instruction>(Switch->getCondition()) : nullptr;
  return Way && isSuspendPoint(*Way) ? Switch : nullptr;
}

/// Does the block end in a way that makes its successors enterable from nowhere
/// that can be counted on an edge?
static bool leavesUntraceably(const BasicBlock &Block) {
  const Instruction *Terminator = Block.getTerminator();
  if (isa<IndirectBrInst>(Terminator) || isa<CallBrInst>(Terminator))
    return true;
  return !switchOfSuspended(Block) && any_of(Block, isSuspendPoint);
}

/// The local variable that a pointer points into, if there is only one.
static const AllocaInst *localVariable(const Value *Pointer) {
  return dyn_cast<AllocaInst>(Pointer->stripInBoundsConstantOffsets());
}

namespace {
/// A call's result on its way to the return, perhaps through the variable that
/// the front end has for it.
class PassedOn {
public:
  explicit PassedOn(const CallInst &Call) { Values.insert(&Call); }

  /// Does I hand the result on, and nothing else?
  bool takes(const Instruction &I) {
    if (const auto *Store = dyn_cast<StoreInst>(&I)) {
      const AllocaInst *To = localVariable(Store->getPointerOperand());
      if (!To || Store->isVolatile() || (Variable && To != Variable) ||
          !Values.contains(Store->getValueOperand()))
        return false;
      Variable = To;
      return true;
    }
    if (const auto *Load = dyn_cast<LoadInst>(&I)) {
      if (!Variable || localVariable(Load->getPointerOperand()) != Variable ||
          Load->isVolatile())
        return false;
    } else if (isa<ExtractValueInst>(I) || isa<BitCastInst>(I)) {
      if (!Values.contains(I.getOperand(0)))
        return false;
    } else if (const auto *Address = dyn_cast<GetElementPtrInst>(&I)) {
      return localVariable(Address) != nullptr;
    } else {
      return false;
    }
    Values.insert(&I);
    return true;
  }

  void enters(const PHINode &Phi, const BasicBlock *From) {
    if (Values.contains(Phi.getIncomingValueForBlock(From)))
      Values.insert(&Phi);
  }

  bool isReturnedBy(const ReturnInst &Return) const {
    return !Return.getReturnValue() || Values.contains(Return.getReturnValue());
  }

private:
  SmallPtrSet<const Value *, 8> Values;
  const AllocaInst *Variable = nullptr;
};
} // namespace

/// Is a return all that follows the call, perhaps with its result in a variable
/// in between? Then After gets the blocks after the call's own.
static bool isInTailPosition(const CallInst &Call,
                             SmallVectorImpl<const BasicBlock *> &After) {
  constexpr unsigned MaxBlocks = 4; // the front end makes two at most
  PassedOn Result(Call);
  const Instruction *I = Call.getNextNode();
  for (;;) {
    if (const auto *Return = dyn_cast<ReturnInst>(I))
      return Result.isReturnedBy(*Return);
    if (isBranch(*I)) {
      if (asConditional(*I) || After.size() == MaxBlocks)
        return false;
      const BasicBlock *Next = I->getSuccessor(0);
      for (const PHINode &Phi : Next->phis())
        Result.enters(Phi, I->getParent());
      After.push_back(Next);
      I = &*Next->getFirstInsertionPt();
      continue;
    }
    if (!isMarker(*I) && !Result.takes(*I))
      return false;
    I = I->getNextNode();
  }
}

FlowGraph::FlowGraph(Function &F, const SourceBranches *Source)
    : Func(F), Definition{nullptr, 0} {
  if (const DISubprogram *Program = F.getSubprogram()) {
    Definition = {Program->getFile(), Program->getLine()};
    Unit = Program->getUnit();
  }
  cutBlocks(Source);
  addEdges(Source);
  collectCalls();
}

/// May a call lead back to its function, as far as the module has it, or by a
/// pointer?
static bool mayComeBack(const CallInst &Call) {
  constexpr unsigned MaxFunctions = 256;
  SmallPtrSet<const Function *, 16> Seen;
  SmallVector<const Function *, 16> Rest = {Call.getCalledFunction()};
  while (!Rest.empty()) {
    const Function *Callee = Rest.pop_back_val();
    if (!Callee || Callee == Call.getFunction() || Seen.size() == MaxFunctions)
      return true;
    if (!Seen.insert(Callee).second)
      continue;
    for (const BasicBlock &Block : *Callee)
      for (const Instruction &I : Block)
        if (const auto *Next = dyn_cast<CallBase>(&I);
            Next && Next->getCalledFunction())
          Rest.push_back(Next->getCalledFunction());
  }
  return false;
}

/// Is the call's result the last condition of an && or ||, and the call no step
/// of a recursion, which might need its stack?
static bool mustBeCounted(const CallInst &Call,
                          ArrayRef<ValueCondition> Conditions) {
  return !Conditions.empty() && Conditions.back().Condition == &Call &&
         !mayComeBack(Call);
}

void FlowGraph::cutBlocks(const SourceBranches *Source) {
  const bool HasTailCalls =
      !Func.hasOptNone() && !Func.callsFunctionThatReturnsTwice() &&
      Func.getFnAttribute("disable-tail-calls").getValueAsString() != "true";
  DenseSet<const BasicBlock *> AfterTailCalls;
  for (BasicBlock &Block : Func) {
    Instruction *First = &Block.front();
    Instruction *Tail = Block.getTerminatingMustTailCall();
    const size_t FirstOfBlock = Nodes.size();
    ArrayRef<ValueCondition> Conditions;
    if (Source)
      Conditions = Source->valueConditionsIn(Block);
    for (Instruction &I : Block) {
      const auto *Call = dyn_cast<CallInst>(&I);
      bool Ends = I.isTerminator();
      if (Call && mayNotReturn(*Call)) {
        SmallVector<const BasicBlock *, 4> After;
        if (!Tail && HasTailCalls && isInTailPosition(*Call, After) &&
            !mustBeCounted(*Call, Conditions)) {
          Tail = &I;
          AfterTailCalls.insert(After.begin(), After.end());
        }
        // There is no code after a noreturn call.
        Ends = &I != Tail && !isa<UnreachableInst>(I.getNextNode());
      }
      if (Ends) {
        Nodes.push_back({&Block, First, &I, {}});
        for (; !Conditions.empty() && !I.comesBefore(Conditions.front().Place);
             Conditions = Conditions.drop_front())
          // No counter may be between a tail call and its return.
          if (!Tail || !Tail->comesBefore(Conditions.front().Place))
            addCondition(Conditions.front(),
                         Source->jointAfter(Conditions.front()));
        First = I.getNextNode();
      }
    }
    if (Source && Source->jointIn(Block)) {
      Nodes.back().IsOutcome = true;
      Nodes.push_back(Nodes.back());
    }
    for (size_t N = FirstOfBlock; N != Nodes.size(); ++N)
      if (Nodes[N].Last->isTerminator())
        Nodes[N].TailCall = Tail;
  }
  for (FlowNode &Node : Nodes)
    Node.IsAfterTailCall = AfterTailCalls.contains(Node.Block);
}

/// Let the last node have the two outcomes of a condition.
void FlowGraph::addCondition(const ValueCondition &Value, const Joint *Next) {
  FlowNode After = Nodes.back();
  Nodes.back().Choice = Value.At;
  Nodes.back().Condition = Value.Condition;
  Nodes.back().Place = Value.Place;
  if (Next) // the next node has them
    return;
  After.First = After.Last;
  After.IsAfterCondition = true;
  Nodes.push_back(After);
}

namespace {
/// Adds the edges of a graph whose nodes are there.
class EdgeMaker {
public:
  EdgeMaker(FlowGraph &Graph, const SourceBranches *Source);

  void addAll();

private:
  void add(unsigned From, unsigned To, arcline_edge_kind Kind,
           unsigned Successor = 0) {
    Graph.Edges.push_back({From, To, Kind, Successor});
  }
  void addOutcomes(unsigned From, unsigned IfTrue, unsigned IfFalse);
  void addAfterCall(unsigned N);
  void addAfterTerminator(unsigned N);
  arcline_edge_kind kindOf(FlowNode &Node) const;
  void addWay(unsigned From, arcline_edge_kind Kind, unsigned Successor);
  void addWayOfOutcome(unsigned From, const Joint &Here);
  const Joint *jointIn(const BasicBlock *Block) const {
    return Source ? Source->jointIn(*Block) : nullptr;
  }

  FlowGraph &Graph;
  const SourceBranches *Source;
  const unsigned Exit;
  DenseMap<const BasicBlock *, unsigned> FirstNode;
  DenseSet<const BasicBlock *> Reentered;
};
} // namespace

EdgeMaker::EdgeMaker(FlowGraph &Graph, const SourceBranches *Source)
    : Graph(Graph), Source(Source), Exit(Graph.exitNode()) {
  for (unsigned N = 0; N != Exit; ++N)
    FirstNode.try_emplace(Graph.Nodes[N].Block, N);
  for (const BasicBlock &Block : Graph.Func) {
    if (Block.isEHPad())
      Reentered.insert(&Block);
    if (leavesUntraceably(Block))
      for (const BasicBlock *Successor : successors(&Block))
        Reentered.insert(Successor);
    if (const SwitchInst *Switch = switchOfSuspended(Block))
      Reentered.insert(Switch->getDefaultDest());
  }
}

void EdgeMaker::addAll() {
  add(Exit, 0, ARCLINE_EDGE_ENTRY);
  for (unsigned N = 0; N != Exit; ++N) {
    const FlowNode &Node = Graph.Nodes[N];
    if (FirstNode[Node.Block] == N && Reentered.contains(Node.Block))
      add(Exit, N, ARCLINE_EDGE_REENTRY);
    if (N + 1 != Exit && Graph.Nodes[N + 1].IsAfterCondition)
      addOutcomes(N, N + 1, N + 1);
    else if (Node.Last->isTerminator())
      addAfterTerminator(N);
    else
      addAfterCall(N);
  }
}

/// The two edges of a condition without a branch, whose only place is there.
void EdgeMaker::addOutcomes(unsigned From, unsigned IfTrue, unsigned IfFalse) {
  const auto Kind =
      Graph.Nodes[From].Choice.Line ? ARCLINE_EDGE_BRANCH : ARCLINE_EDGE_JUMP;
  add(From, IfTrue, Kind, 0);
  add(From, IfFalse, Kind, 1);
  for (unsigned Back = 1; Back <= 2; ++Back)
    Graph.Edges[Graph.Edges.size() - Back].IsAhead = true;
}

void EdgeMaker::addAfterCall(unsigned N) {
  const auto *Call = cast<CallBase>(Graph.Nodes[N].Last);
  add(N, Exit, ARCLINE_EDGE_ABRUPT);
  if (mayReturnTwice(*Call))
    add(Exit, N + 1, ARCLINE_EDGE_REENTRY);
  else
    add(N, N + 1, ARCLINE_EDGE_RETURN_TO);
}

/// The kind of the edges after a terminator. Records the choices of the source.
arcline_edge_kind EdgeMaker::kindOf(FlowNode &Node) const {
  if (isa<InvokeInst>(Node.Last))
    return ARCLINE_EDGE_RETURN_TO;
  if (Node.Block->getUniqueSuccessor())
    return ARCLINE_EDGE_JUMP;
  if (!Source)
    return ARCLINE_EDGE_BRANCH;
  Node.Choice = Source->placeOf(*Node.Last);
  return Node.Choice.Line ? ARCLINE_EDGE_BRANCH : ARCLINE_EDGE_JUMP;
}

void EdgeMaker::addAfterTerminator(unsigned N) {
  FlowNode &Node = Graph.Nodes[N];
  if (const Joint *Here = jointIn(Node.Block)) {
    addWayOfOutcome(N, *Here);
    return;
  }
  const arcline_edge_kind Kind = kindOf(Node);
  const unsigned NumSuccessors = Node.Last->getNumSuccessors();
  bool Abrupt = isa<InvokeInst>(Node.Last);
  // Several cases of a switch with one target are one edge.
  SmallPtrSet<const BasicBlock *, 8> Seen;
  for (unsigned S = 0; S != NumSuccessors; ++S) {
    const BasicBlock *Successor = Node.Last->getSuccessor(S);
    if (!Seen.insert(Successor).second)
      continue;
    if (Reentered.contains(Successor))
      Abrupt = true;
    else
      addWay(N, Kind, S);
  }
  if (Abrupt)
    add(N, Exit, ARCLINE_EDGE_ABRUPT);
  // If code ends without a terminator that runs, as after exit(), a counter has
  // no place.
  if (NumSuccessors == 0)
    add(N, Exit,
        isa<UnreachableInst>(Node.Last) ? ARCLINE_EDGE_ABRUPT
                                        : ARCLINE_EDGE_EXIT);
}

/// Add the edge to a successor; to a joint, one to the outcome that is certain
/// on this path, or one to each.
void EdgeMaker::addWay(unsigned From, arcline_edge_kind Kind,
                       unsigned Successor) {
  FlowNode &Node = Graph.Nodes[From];
  const BasicBlock *To = Node.Last->getSuccessor(Successor);
  const unsigned First = FirstNode[To];
  const Joint *Next = jointIn(To);
  if (!Next) {
    add(From, First, Kind, Successor);
    return;
  }
  Value *Operand = Next->Outcome->getIncomingValueForBlock(Node.Block);
  if (const auto *Certain = dyn_cast<ConstantInt>(Operand)) {
    add(From, First + Certain->isZero(), Kind, Successor);
    return;
  }
  // && and || themselves are not choices.
  Node.Condition = Operand;
  Node.Place = Node.Last;
  addOutcomes(From, First, First + 1);
}

/// Add the edge by which an outcome leaves its joint.
void EdgeMaker::addWayOfOutcome(unsigned From, const Joint &Here) {
  const Instruction *Last = Graph.Nodes[From].Last;
  const bool IsFalse = FirstNode[Here.Outcome->getParent()] != From;
  const unsigned Way = IsFalse != Here.IsInverted; // 1: of the false outcome
  if (Last->getNumSuccessors() == 1)
    add(From, FirstNode[Last->getSuccessor(0)] + Way, ARCLINE_EDGE_JUMP);
  else
    addWay(From, ARCLINE_EDGE_JUMP, Way);
}

void FlowGraph::addEdges(const SourceBranches *Source) {
  EdgeMaker(*this, Source).addAll();
  OutDegree.assign(exitNode() + 1, 0);
  for (const FlowEdge &Edge : Edges)
    ++OutDegree[Edge.From];
}

/// Is a counter of this edge in a block of its own, since others leave the
/// block before and others enter the one after?
bool FlowGraph::isCritical(const FlowEdge &Edge) const {
  const Instruction *Last = Nodes[Edge.From].Last;
  return Last->isTerminator() && Last->getNumSuccessors() > 1 &&
         !Nodes[Edge.To].Block->getSinglePredecessor();
}

/// Kruskal's maximum spanning tree; the remaining edges are counted.
void FlowGraph::chooseCounters(Frequency FrequencyOf) {
  // The additional block of a critical edge, and its jump, weigh as much as one
  // update for each call: in rare code other edges are counted. This saves a
  // tenth of the additional compile time.
  const uint64_t BlockWeight = FrequencyOf(Nodes[0].Block, nullptr);
  auto Weight = [&](const FlowEdge &Edge) {
    const bool IsWayIn = Edge.From == exitNode();
    const BasicBlock *Block = Nodes[IsWayIn ? Edge.To : Edge.From].Block;
    const bool IsOfBlock = Edge.IsAhead || (Edge.Kind != ARCLINE_EDGE_JUMP &&
                                            Edge.Kind != ARCLINE_EDGE_BRANCH);
    if (IsOfBlock)
      return FrequencyOf(Block, nullptr);
    const uint64_t OfEdge = FrequencyOf(Block, Nodes[Edge.To].Block);
    return isCritical(Edge) ? SaturatingAdd(OfEdge, BlockWeight) : OfEdge;
  };
  std::vector<uint64_t> Weights;
  Weights.reserve(Edges.size());
  for (const FlowEdge &Edge : Edges)
    Weights.push_back(Weight(Edge));
  // Edges without a place for a counter: a call that did not return, the path
  // from a tail call to the return, the jump of a joint, which its two outcomes
  // share. They form trees.
  auto IsUncountable = [&](const FlowEdge &Edge) {
    if (Edge.From == exitNode())
      return false;
    const FlowNode &From = Nodes[Edge.From];
    return Edge.Kind == ARCLINE_EDGE_ABRUPT || From.IsAfterTailCall ||
           (From.IsOutcome && From.Last->getNumSuccessors() == 1);
  };
  auto Rank = [&](const FlowEdge &Edge) {
    return IsUncountable(Edge) ? 0 : Edge.IsKept ? 1 : 2;
  };
  std::vector<unsigned> Order(Edges.size());
  std::iota(Order.begin(), Order.end(), 0u);
  // Of two edges with equal frequency, the later one is put into the tree: a
  // value that is counted early need not live across calls.
  std::sort(Order.begin(), Order.end(), [&](unsigned A, unsigned B) {
    const int RankA = Rank(Edges[A]), RankB = Rank(Edges[B]);
    if (RankA != RankB)
      return RankA < RankB;
    return Weights[A] != Weights[B] ? Weights[A] > Weights[B] : A > B;
  });
  IntEqClasses Trees(exitNode() + 1);
  for (unsigned E : Order) {
    FlowEdge &Edge = Edges[E];
    if (Trees.findLeader(Edge.From) != Trees.findLeader(Edge.To))
      Trees.join(Edge.From, Edge.To);
    else
      Edge.Counter = 0; // numbered below
  }
  numberCounters();
}

void FlowGraph::numberCounters() {
  auto Origin = [&](const FlowEdge &Edge) {
    return Edge.From == exitNode() ? 0 : Edge.From + 1;
  };
  std::stable_sort(Edges.begin(), Edges.end(),
                   [&](const FlowEdge &A, const FlowEdge &B) {
                     return Origin(A) < Origin(B);
                   });
  NumWays.assign(exitNode() + 1, 0);
  for (FlowEdge &Edge : Edges) {
    NumWays[Edge.From] += Edge.Kind == ARCLINE_EDGE_BRANCH;
    if (Edge.Counter != FlowEdge::NoCounter)
      Edge.Counter = NumCounters++;
  }
}

/// The name of the function called; that of the function itself, if the call
/// goes through an alias that no other object can replace.
static StringRef calleeName(const CallBase &Call) {
  const Value *Callee = Call.getCalledOperand()->stripPointerCasts();
  if (const auto *Alias = dyn_cast<GlobalAlias>(Callee))
    if (!Alias->isInterposable())
      Callee = Alias->getAliaseeObject();
  if (const auto *Global = dyn_cast<GlobalValue>(Callee))
    return Global->getName();
  return "";
}

/// The function that an intrinsic may be compiled to a call of. Code generators
/// emit inline code for small constant lengths, up to 512 bytes on machines
/// with the widest vectors. Empty if it is not or may not be a call.
static StringRef libraryCallee(const Instruction &I) {
  constexpr uint64_t MaxExpandedBytes = 512;
  const auto *Memory = dyn_cast<MemIntrinsic>(&I);
  if (!Memory)
    return "";
  const auto *Length = dyn_cast<ConstantInt>(Memory->getLength());
  if (Length && Length->getValue().ule(MaxExpandedBytes))
    return "";
  switch (Memory->getIntrinsicID()) {
  case Intrinsic::memset:
    return "memset";
  case Intrinsic::memmove:
    return "memmove";
  case Intrinsic::memcpy:
    return "memcpy";
  default: // those that are expanded in line at any length
    return "";
  }
}

/// Is it a call of the source or, in clang's code, of its library?
static bool isCall(const Instruction &I) {
  const auto *Call = dyn_cast<CallBase>(&I);
  return Call && !Call->isInlineAsm() &&
         (!isa<IntrinsicInst>(I) || !libraryCallee(I).empty());
}

void FlowGraph::collectCalls() {
  for (unsigned N = 0; N != Nodes.size(); ++N) {
    if (Nodes[N].IsAfterCondition)
      continue;
    for (Instruction *I = Nodes[N].First;; I = I->getNextNode()) {
      auto *const Call = dyn_cast<CallBase>(I);
      if (isCall(*I)) {
        const StringRef Library = libraryCallee(*I);
        // The source has no call that begins a handler.
        Calls.push_back(
            {N, beginsHandler(*I) ? SourceLine{nullptr, 0} : lineOf(Func, *I),
             Library.empty() ? calleeName(*Call) : Library, Call});
      }
      if (I == Nodes[N].Last)
        break;
    }
  }
}

} // namespace arcline

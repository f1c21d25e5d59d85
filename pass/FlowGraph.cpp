// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How the graph keeps counts exact although calls may not come back: a block is
// cut after every call that may end the process, unwind, jump away or loop for
// ever, and the piece before the cut gets a second edge, to EXIT, that absorbs
// the calls that did not return. Those edges all meet in EXIT, so they form a
// star and always fit into the spanning tree together: they cost no counter.
//
// Nodes that are entered in ways that cannot be told apart (landing pads,
// targets of a computed goto, the second return of setjmp, a resumed coroutine)
// are modelled as entered from EXIT, over an edge counted at the node itself;
// whoever jumps there leaves to EXIT. No edge ever needs to be split that LLVM
// cannot split.
//
// A call in tail position is no cut, and nothing is counted between it and the
// return: it would not be a jump any more, and recursion that runs in constant
// space would need a stack. A call there that does not come back has returned,
// as far as counts can tell.

#include "FlowGraph.h"
#include "Passes.h"
#include "SourceLines.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/IntEqClasses.h"
#include "llvm/Analysis/BlockFrequencyInfo.h"
#include "llvm/Analysis/BranchProbabilityInfo.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/GlobalAlias.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

#include <algorithm>
#include <numeric>

using namespace llvm;

namespace arcline {

/// May control fail to arrive behind this call?
bool mayNotReturn(const CallBase &Call) {
  // Intrinsics and inline assembly that leave do so as terminators.
  if (isa<IntrinsicInst>(Call) || Call.isInlineAsm())
    return false;
  return !(Call.doesNotThrow() && Call.hasFnAttr(Attribute::WillReturn));
}

static bool isSuspendPoint(const Instruction &I) {
  const auto *Intrinsic = dyn_cast<IntrinsicInst>(&I);
  return Intrinsic &&
         (Intrinsic->getIntrinsicID() == Intrinsic::coro_suspend ||
          Intrinsic->getIntrinsicID() == Intrinsic::coro_suspend_async ||
          Intrinsic->getIntrinsicID() == Intrinsic::coro_suspend_retcon);
}

/// Does the block end in a way that makes its successors enterable from nowhere
/// that can be counted on an edge?
static bool leavesUntraceably(const BasicBlock &Block) {
  const Instruction *Terminator = Block.getTerminator();
  if (isa<IndirectBrInst>(Terminator) || isa<CallBrInst>(Terminator))
    return true;
  return any_of(Block, isSuspendPoint);
}

/// The local variable that a pointer points into, if it can be told.
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

/// Is a return all that follows the call, perhaps by way of its result through
/// a variable? Then Behind gets the blocks after the call's own.
static bool isInTailPosition(const CallInst &Call,
                             SmallVectorImpl<const BasicBlock *> &Behind) {
  constexpr unsigned MaxBlocks = 4; // the front end makes two at most
  PassedOn Result(Call);
  const Instruction *I = Call.getNextNode();
  for (;;) {
    if (const auto *Return = dyn_cast<ReturnInst>(I))
      return Result.isReturnedBy(*Return);
    if (const auto *Branch = dyn_cast<BranchInst>(I)) {
      if (!Branch->isUnconditional() || Behind.size() == MaxBlocks)
        return false;
      const BasicBlock *Next = Branch->getSuccessor(0);
      for (const PHINode &Phi : Next->phis())
        Result.enters(Phi, I->getParent());
      Behind.push_back(Next);
      I = &*Next->getFirstInsertionPt();
      continue;
    }
    if (!I->isDebugOrPseudoInst() && !I->isLifetimeStartOrEnd() &&
        !Result.takes(*I))
      return false;
    I = I->getNextNode();
  }
}

FlowGraph::FlowGraph(Function &F) : Func(F), Definition{nullptr, 0} {
  if (const DISubprogram *Program = F.getSubprogram()) {
    Definition = {Program->getFile(), Program->getLine()};
    if (const DICompileUnit *Unit = Program->getUnit())
      CompDir = Unit->getDirectory();
  }
  cutBlocks();
  addEdges();
  collectCalls();
}

void FlowGraph::cutBlocks() {
  const bool HasTailCalls =
      !Func.hasOptNone() && !Func.callsFunctionThatReturnsTwice() &&
      Func.getFnAttribute("disable-tail-calls").getValueAsString() != "true";
  DenseSet<const BasicBlock *> BehindTailCalls;
  for (BasicBlock &Block : Func) {
    Instruction *First = &Block.front();
    Instruction *Tail = Block.getTerminatingMustTailCall();
    for (Instruction &I : Block) {
      const auto *Call = dyn_cast<CallInst>(&I);
      bool Ends = I.isTerminator();
      if (Call && mayNotReturn(*Call)) {
        SmallVector<const BasicBlock *, 4> Behind;
        if (!Tail && HasTailCalls && isInTailPosition(*Call, Behind)) {
          Tail = &I;
          BehindTailCalls.insert(Behind.begin(), Behind.end());
        }
        // Behind a noreturn call stands nothing at all.
        Ends = &I != Tail && !isa<UnreachableInst>(I.getNextNode());
      }
      if (Ends) {
        Nodes.push_back({&Block, First, &I, {}});
        First = I.getNextNode();
      }
    }
    Nodes.back().TailCall = Tail;
  }
  for (FlowNode &Node : Nodes)
    Node.IsBehindTailCall = BehindTailCalls.contains(Node.Block);
}

void FlowGraph::addEdges() {
  const unsigned Exit = exitNode();
  DenseMap<const BasicBlock *, unsigned> FirstNode;
  DenseSet<const BasicBlock *> Reentered;
  for (unsigned N = 0; N != Exit; ++N)
    FirstNode.try_emplace(Nodes[N].Block, N);
  for (const BasicBlock &Block : Func) {
    if (Block.isEHPad())
      Reentered.insert(&Block);
    if (leavesUntraceably(Block))
      for (const BasicBlock *Successor : successors(&Block))
        Reentered.insert(Successor);
  }

  auto Add = [&](unsigned From, unsigned To, arcline_edge_kind Kind,
                 unsigned Successor = 0) {
    Edges.push_back({From, To, Kind, Successor});
  };

  Add(Exit, 0, ARCLINE_EDGE_ENTRY);
  for (unsigned N = 0; N != Exit; ++N) {
    FlowNode &Node = Nodes[N];
    BasicBlock *Block = Node.Block;
    if (FirstNode[Block] == N && Reentered.contains(Block))
      Add(Exit, N, ARCLINE_EDGE_REENTRY);

    if (!Node.Last->isTerminator()) {
      bool Twice =
          cast<CallBase>(Node.Last)->hasFnAttr(Attribute::ReturnsTwice);
      Add(N, Exit, ARCLINE_EDGE_ABRUPT);
      if (Twice)
        Add(Exit, N + 1, ARCLINE_EDGE_REENTRY);
      else
        Add(N, N + 1, ARCLINE_EDGE_RETURN_TO);
      continue;
    }

    // A terminator. Several cases of a switch with one target are one edge.
    bool Abrupt = isa<InvokeInst>(Node.Last);
    const unsigned NumSuccessors = Node.Last->getNumSuccessors();
    arcline_edge_kind Kind = isa<InvokeInst>(Node.Last) ? ARCLINE_EDGE_RETURN_TO
                             : Block->getUniqueSuccessor()
                                 ? ARCLINE_EDGE_JUMP
                                 : ARCLINE_EDGE_BRANCH;
    SmallPtrSet<const BasicBlock *, 8> Seen;
    for (unsigned S = 0; S != NumSuccessors; ++S) {
      const BasicBlock *Successor = Node.Last->getSuccessor(S);
      if (!Seen.insert(Successor).second)
        continue;
      if (Reentered.contains(Successor)) {
        Abrupt = true;
        continue;
      }
      Add(N, FirstNode[Successor], Kind, S);
    }
    if (Abrupt)
      Add(N, Exit, ARCLINE_EDGE_ABRUPT);
    // Where code ends without a terminator that runs, there is no place for a
    // counter: behind exit(), say.
    if (NumSuccessors == 0)
      Add(N, Exit,
          isa<UnreachableInst>(Node.Last) ? ARCLINE_EDGE_ABRUPT
                                          : ARCLINE_EDGE_EXIT);
  }

  OutDegree.assign(Exit + 1, 0);
  for (const FlowEdge &Edge : Edges)
    ++OutDegree[Edge.From];
}

/// Kruskal's maximum spanning tree; what is left over is counted.
void FlowGraph::chooseCounters(const BlockFrequencyInfo &Frequencies,
                               const BranchProbabilityInfo &Probabilities) {
  auto Weight = [&](const FlowEdge &Edge) {
    const bool IsWayIn = Edge.From == exitNode();
    const BasicBlock *Block = Nodes[IsWayIn ? Edge.To : Edge.From].Block;
    const uint64_t Frequency = Frequencies.getBlockFreq(Block).getFrequency();
    if (Edge.IsAhead)
      return Frequency;
    if (Edge.Kind != ARCLINE_EDGE_JUMP && Edge.Kind != ARCLINE_EDGE_BRANCH)
      return Frequency;
    return Probabilities.getEdgeProbability(Block, Nodes[Edge.To].Block)
        .scale(Frequency);
  };
  std::vector<uint64_t> Weights;
  Weights.reserve(Edges.size());
  for (const FlowEdge &Edge : Edges)
    Weights.push_back(Weight(Edge));
  // No place to be counted at: a call that did not come back, the way from a
  // tail call to the return. These edges form a tree that hangs from EXIT.
  auto IsUncountable = [&](const FlowEdge &Edge) {
    return Edge.Kind == ARCLINE_EDGE_ABRUPT ||
           (Edge.From != exitNode() && Nodes[Edge.From].IsBehindTailCall);
  };
  auto IsFirst = [&](const FlowEdge &Edge) {
    return Edge.IsKept || IsUncountable(Edge);
  };
  std::vector<unsigned> Order(Edges.size());
  std::iota(Order.begin(), Order.end(), 0u);
  // Of two that run equally often the later one goes into the tree: what is
  // counted early need not live across calls.
  std::sort(Order.begin(), Order.end(), [&](unsigned A, unsigned B) {
    bool FirstA = IsFirst(Edges[A]), FirstB = IsFirst(Edges[B]);
    if (FirstA != FirstB)
      return FirstA;
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
  for (FlowEdge &Edge : Edges)
    if (Edge.Counter != FlowEdge::NoCounter)
      Edge.Counter = NumCounters++;
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

/// The function that an intrinsic becomes a call of, if it does: code
/// generators have code of their own for small constant lengths, up to 512
/// bytes on the machines that have the widest vectors. Empty if it is none, or
/// may be none.
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

/// Is it a call of the source or, as clang has it, of its library?
static bool isCall(const Instruction &I) {
  const auto *Call = dyn_cast<CallBase>(&I);
  return Call && !Call->isInlineAsm() &&
         (!isa<IntrinsicInst>(I) || !libraryCallee(I).empty());
}

void FlowGraph::collectCalls() {
  for (unsigned N = 0; N != Nodes.size(); ++N)
    for (Instruction *I = Nodes[N].First;; I = I->getNextNode()) {
      auto *const Call = dyn_cast<CallBase>(I);
      if (isCall(*I)) {
        const StringRef Library = libraryCallee(*I);
        Calls.push_back({N, lineOf(Func, *I),
                         Library.empty() ? calleeName(*Call) : Library, Call});
      }
      if (I == Nodes[N].Last)
        break;
    }
}

} // namespace arcline

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Builds the flow graph of one function, and selects the edges that carry
/// counters. Pure analysis: nothing here changes the IR.
#ifndef ARCLINE_FLOWGRAPH_H
#define ARCLINE_FLOWGRAPH_H

#include "Decisions.h"
#include "SourceBranches.h"

#include "arcline/abi.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

#include <optional>
#include <string>
#include <vector>

namespace llvm {
class BasicBlock;
class CallBase;
class DICompileUnit;
class DIFile;
class Function;
class Instruction;
} // namespace llvm

namespace arcline {

struct SourceLine {
  const llvm::DIFile *File;
  unsigned Line;

  bool operator==(const SourceLine &Other) const {
    return File == Other.File && Line == Other.Line;
  }
};

/// A basic block of the source, or a piece of one that ends at a call that may
/// not return.
struct FlowNode {
  llvm::BasicBlock *Block;
  llvm::Instruction *First;
  llvm::Instruction *Last;                // the call, or the block's terminator
  llvm::SmallVector<SourceLine, 4> Lines; // that it counts for
  llvm::SmallVector<SourceLine, 4> CodeLines = {}; // of its instructions
  /// Call in tail position, which no instruction may follow; null if none.
  llvm::Instruction *TailCall = nullptr;
  /// Is between a call in tail position and the return.
  bool IsAfterTailCall = false;
  /// Is the second of two compares that may become one (IfConversion.h), unless
  /// the block has counters or probes.
  bool IsSecondCompare = false;
  /// Has no code of its own, but that of the node before, whose two edges to it
  /// are the outcomes of a condition on which no branch depends.
  bool IsAfterCondition = false;
  /// One of two nodes for a joint (SourceBranches.h), true and then false, so
  /// that each has one successor.
  bool IsOutcome = false;
  /// The condition of the source that decides here; line 0 if none.
  SourcePlace Choice = {};
  /// The value that selects between the two edges, if no branch does, and its
  /// place in the code.
  llvm::Value *Condition = nullptr;
  llvm::Instruction *Place = nullptr;
};

struct FlowEdge {
  static constexpr unsigned NoCounter = ~0u;

  unsigned From;
  unsigned To;
  arcline_edge_kind Kind;
  /// Operand of From's terminator, if there is one; of a condition without
  /// branch: 0 if it is true.
  unsigned Successor;
  unsigned Counter = NoCounter;
  bool IsAhead = false; // counted by the condition, before the branch if any
  bool IsKept = false;  // in the tree, if it can be
};

struct CallSite {
  unsigned Node;
  SourceLine At;          // line 0 if unknown
  llvm::StringRef Callee; // empty if indirect
  llvm::CallBase *Call;
};

class FlowGraph {
public:
  /// Nodes, edges and call sites.
  ///
  /// Source  the conditions of the source; null if they do not matter
  explicit FlowGraph(llvm::Function &F, const SourceBranches *Source = nullptr);

  /// A graph without nodes yet.
  FlowGraph(llvm::Function &F, SourceLine Definition,
            const llvm::DICompileUnit *Unit)
      : Func(F), Definition(Definition), Unit(Unit) {}

  /// How often a block runs, or goes on to Next unless it is null; relative to
  /// others of the function.
  using Frequency = llvm::function_ref<uint64_t(const llvm::BasicBlock *Block,
                                                const llvm::BasicBlock *Next)>;

  /// Choose the edges that carry counters: those outside of a maximum spanning
  /// tree.
  void chooseCounters(Frequency FrequencyOf);

  /// Put the edges in the order of constant data, by the node that they leave,
  /// EXIT first, and number the counters of those that have one. Once.
  void numberCounters();

  unsigned exitNode() const { return unsigned(Nodes.size()); }

  /// Number of edges that leave node N.
  unsigned outDegree(unsigned N) const { return OutDegree[N]; }

  /// Is node N of the same block as the one before?
  bool isContinued(unsigned N) const {
    return N > 0 && Nodes[N].Block == Nodes[N - 1].Block;
  }

  /// Does the source choose between several edges from node N?
  bool hasChoice(unsigned N) const { return NumWays[N] > 1; }

  llvm::Function &Func;
  SourceLine Definition;                     // line 0 without debug information
  const llvm::DICompileUnit *Unit = nullptr; // or null
  std::vector<FlowNode> Nodes;
  std::vector<FlowEdge> Edges;
  std::vector<CallSite> Calls;
  std::optional<std::vector<Decision>> Decisions; // if they are wanted
  unsigned NumCounters = 0;                       // of edges, then of decisions

private:
  bool isCritical(const FlowEdge &Edge) const;
  void cutBlocks(const SourceBranches *Source);
  void addCondition(const ValueCondition &Value, const Joint *Next);
  void addEdges(const SourceBranches *Source);
  void collectCalls();

  std::vector<unsigned> OutDegree;
  std::vector<unsigned> NumWays; // of a choice of the source, by node
};

} // namespace arcline

#endif

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Gives functions their cells (Bodies.cpp) and blocks their addresses, after
// the optimiser.
//
// The address of a block belongs to the node whose mark, inserted by CountPass,
// is the first in it.

#include "Addresses.h"
#include "Bodies.h"
#include "CallSites.h"
#include "Compat.h"
#include "ConstantData.h"
#include "JoinedCounters.h"
#include "Passes.h"
#include "RuntimeCalls.h"
#include "SourceFunctions.h"

#include "arcline/abi.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DepthFirstIterator.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

#include <optional>

using namespace llvm;

namespace arcline {

/// May a function's blocks be in several sections? The assembler cannot compute
/// distances between these. LLVM does not pass its options for code generation
/// on to plugins, but the compiler's command line has them.
static bool mayHaveBlockSections() {
  const auto Line = MemoryBuffer::getFileAsStream("/proc/self/cmdline");
  SmallVector<StringRef, 0> Arguments;
  bool Result = false;
  if (Line)
    (*Line)->getBuffer().split(Arguments, '\0');
  for (StringRef Argument : Arguments)
    if (Argument.consume_front("-fbasic-block-sections="))
      Result = Argument != "none" && Argument != "labels";
    else
      Result |= Argument == "-fsplit-machine-functions";
  return Result;
}

namespace {

/// A mark of the beginning of a node.
struct NodeMark {
  const SourceFunction *Source;
  uint64_t Node;
};

class Placer {
public:
  /// HasBlocks  CountPass has inserted counters
  Placer(Module &M, FunctionAnalysisManager &FAM, bool HasBlocks)
      : M(M), FAM(FAM), HasBlocks(HasBlocks),
        HasAddresses(!isBeforeLinkTimeOptimisation(M) &&
                     !mayHaveBlockSections()),
        Sources(M) {}

  bool run();

private:
  const SourceFunction *sourceOf(const PseudoProbeInst &Probe) const {
    return Sources.byId(Probe.getFuncGuid()->getZExtValue());
  }
  std::optional<NodeMark> markAt(Instruction &I) const;
  void splitAtProbes(Function &F);
  SmallVector<BlockEntry, 0> placeAddresses(Function &F);

  Module &M;
  FunctionAnalysisManager &FAM;
  bool HasBlocks;
  bool HasAddresses; // of blocks
  SourceFunctions Sources;
  SmallVector<GlobalValue *, 0> Tables;
};

} // namespace

std::optional<NodeMark> Placer::markAt(Instruction &I) const {
  const SourceFunction *Source = nullptr;
  uint64_t Node = 0;
  if (const auto *Probe = dyn_cast<PseudoProbeInst>(&I)) {
    Source = sourceOf(*Probe);
    Node = Probe->getIndex()->getZExtValue();
  } else if (const MDNode *Mark =
                 I.isTerminator() ? I.getMetadata(NodeMetadata) : nullptr) {
    auto Part = [&](unsigned Operand) {
      return mdconst::extract<ConstantInt>(Mark->getOperand(Operand))
          ->getZExtValue();
    };
    Source = Sources.byId(Part(0));
    Node = Part(1);
  }
  return Source ? std::optional<NodeMark>({Source, Node}) : std::nullopt;
}

/// In code without optimisation, give every node its own block.
void Placer::splitAtProbes(Function &F) {
  SmallVector<PseudoProbeInst *, 0> Inner;
  for (BasicBlock &Block : F)
    for (Instruction &I : Block)
      if (auto *Probe = dyn_cast<PseudoProbeInst>(&I))
        if (Probe != &*Block.getFirstInsertionPt() && sourceOf(*Probe))
          Inner.push_back(Probe);
  // From the end: splitting visits all instructions that move.
  for (PseudoProbeInst *Probe : reverse(Inner))
    Probe->getParent()->splitBasicBlock(Probe->getIterator());
}

/// Does the block have code that samples or listings could refer to?
static bool hasCode(const BasicBlock &Block) {
  for (const Instruction &I : Block)
    if (!isa<PHINode>(I) && !I.isDebugOrPseudoInst())
      return !isa<UnreachableInst>(I) &&
             (!I.isTerminator() || I.getNumSuccessors() == 0);
  return false;
}

/// List the addresses of F's blocks, each with the node that begins first in
/// it. Before link-time optimisation there is no list: it would keep functions
/// from being inlined, and tables of groups that lose at link time would
/// dangle. Nor is there one of blocks in several sections.
SmallVector<BlockEntry, 0> Placer::placeAddresses(Function &F) {
  if (F.hasOptNone())
    splitAtProbes(F);
  SmallVector<Instruction *, 0> Ours;
  SmallVector<BlockEntry, 0> Entries;
  DenseSet<std::pair<uint64_t, uint64_t>> Placed;
  df_iterator_default_set<BasicBlock *> Reachable;
  for (BasicBlock *Block : depth_first_ext(&F, Reachable))
    (void)Block;
  for (BasicBlock &Block : F) {
    bool IsFirst = true;
    for (Instruction &I : Block) {
      const auto Mark = markAt(I);
      if (!Mark)
        continue;
      const auto [Source, Node] = *Mark;
      Ours.push_back(&I);
      // An inlined copy represents the count of the whole function only if no
      // body does.
      bool IsCopy = Source->Body && Source->Body != &F;
      if (IsFirst && !IsCopy && Reachable.contains(&Block) &&
          (F.hasOptNone() || hasCode(Block)) &&
          Placed.insert({Source->Record.Id, Node}).second)
        Entries.push_back({&Block, Source, Node});
      IsFirst = false;
    }
  }
  for (Instruction *I : Ours)
    if (I->isTerminator())
      I->setMetadata(NodeMetadata, nullptr);
    else
      I->eraseFromParent();
  if (!HasAddresses)
    Entries.clear();
  return Entries;
}

static CallCounting callCounting(const Module &M) {
  auto *Flag =
      mdconst::extract_or_null<ConstantInt>(M.getModuleFlag(CallsFlag));
  return Flag ? static_cast<CallCounting>(Flag->getZExtValue())
              : CallCounting::Off;
}

bool Placer::run() {
  bool Changed = !Sources.empty();
  if (Changed) {
    finishBodies(
        M, Sources, FAM, /*IsMinimal=*/!HasBlocks,
        [&](Function &F) { return placeAddresses(F); }, Tables);
    eraseJoinedCounters(M);
    Sources.eraseCounters(M);
    if (!isBeforeLinkTimeOptimisation(M))
      appendToCompilerUsed(M, Tables);
  }
  const bool HasProcessCalls = declaresProcessCalls(M);
  const bool CallsMcount = callCounting(M) == CallCounting::Mcount;
  for (Function &F : M) {
    Attribute Eligible = F.getFnAttribute(EligibleAttribute);
    if (F.isDeclaration() || !Eligible.isValid())
      continue;
    Changed = true;
    if (CallsMcount && !F.hasAvailableExternallyLinkage() && !isResumePart(F))
      insertMcount(F);
    if (HasProcessCalls) {
      insertExecCalls(F);
      insertForkCalls(F);
    }
    F.removeFnAttr(EligibleAttribute);
  }
  for (StringRef Name :
       {PromoteMetadata, SegmentMetadata, AtomicMetadata, AnnouncedMetadata})
    if (NamedMDNode *Wish = M.getNamedMetadata(Name))
      Wish->eraseFromParent();
  if (Function *Marker = M.getFunction(IndirectMarker))
    Marker->eraseFromParent();
  return Changed;
}

/// Drop bodies that other objects own: only copies of them are emitted.
/// Link-time optimisation makes further ones.
static void dropBorrowedBodies(Module &M) {
  if (!isBeforeLinkTimeOptimisation(M))
    for (Function &F : M)
      if (F.hasAvailableExternallyLinkage())
        F.deleteBody();
}

PreservedAnalyses PlacePass::run(Module &M, ModuleAnalysisManager &AM) {
  auto &FAM = AM.getResult<FunctionAnalysisManagerModuleProxy>(M).getManager();
  const bool HasBlocks = M.getNamedMetadata(RecordsMetadata);
  if (HasBlocks)
    dropBorrowedBodies(M);
  if (!HasBlocks && callCounting(M) == CallCounting::Sites)
    countCallSites(M, FAM);
  return Placer(M, FAM, HasBlocks).run() ? PreservedAnalyses::none()
                                         : PreservedAnalyses::all();
}

} // namespace arcline

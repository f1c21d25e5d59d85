// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "NodeMarks.h"
#include "Counters.h"
#include "JoinedCounters.h"
#include "Passes.h"

#include "llvm/IR/Constants.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace arcline {

/// Metadata of a function's counters: its id and an array of nodes by counter.
static constexpr StringLiteral NodesMetadata = "arcline.nodes";

void insertProbe(Instruction *Place, uint64_t Id, uint64_t Node) {
  IRBuilder<> Builder(Place);
  Builder.CreateIntrinsic(Intrinsic::pseudoprobe, {},
                          {Builder.getInt64(Id), Builder.getInt64(Node),
                           Builder.getInt32(ProbeMark),
                           Builder.getInt64(~0ULL)});
}

bool isNodeProbe(const Instruction &I) {
  const auto *Probe = dyn_cast<PseudoProbeInst>(&I);
  return Probe && Probe->getAttributes()->getZExtValue() == ProbeMark;
}

void setMarkedNodes(GlobalVariable &Counters, uint64_t Id,
                    ArrayRef<uint32_t> Nodes) {
  LLVMContext &Context = Counters.getContext();
  Counters.setMetadata(
      NodesMetadata,
      MDNode::get(Context, {ConstantAsMetadata::get(ConstantInt::get(
                                Type::getInt64Ty(Context), Id)),
                            ConstantAsMetadata::get(
                                ConstantDataArray::get(Context, Nodes))}));
}

/// If Counter marks a node, put a probe before Place, and return true.
static bool insertProbeOf(CounterRef Counter, Instruction *Place) {
  const MDNode *Marked = Counter.Counters->getMetadata(NodesMetadata);
  if (!Marked)
    return false;
  // An array of zeros is not one of data.
  const auto *Nodes = mdconst::extract<Constant>(Marked->getOperand(1));
  const auto *Node =
      cast<ConstantInt>(Nodes->getAggregateElement(Counter.Index));
  if (Node->getZExtValue() == NoNode)
    return false;
  insertProbe(
      Place,
      mdconst::extract<ConstantInt>(Marked->getOperand(0))->getZExtValue(),
      Node->getZExtValue());
  return true;
}

bool keepMark(Instruction &I) {
  const auto Update = counterUpdate(I, I.getModule()->getDataLayout());
  if (!Update || !Update->isOfEdge())
    return false;
  // Of several marks in a block, the first one counts.
  return any_of(membersOf(Update->Counter),
                [&](CounterRef Member) { return insertProbeOf(Member, &I); });
}

void keepMarks(Function &F) {
  for (BasicBlock &Block : F)
    for (Instruction &I : make_early_inc_range(Block))
      if ((keepMark(I) || isNodeProbe(I)) && !F.hasOptNone())
        break;
}

} // namespace arcline

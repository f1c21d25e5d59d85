// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Bodies.h"
#include "Body.h"
#include "ConstantData.h"
#include "IfConversion.h"
#include "JoinedCounters.h"
#include "NodeMarks.h"
#include "RuntimeCalls.h"
#include "Segment.h"
#include "UnitSlots.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Module.h"

#include <memory>

using namespace llvm;

namespace arcline {

/// The functions that are called only by functions that have loaded the bias
/// before, themselves or their callers.
static DenseSet<const Function *>
calledAfterBias(ArrayRef<std::unique_ptr<Body>> Bodies) {
  DenseSet<const Function *> Loading, Result;
  for (const auto &Body : Bodies) {
    if (Body->hasCells() && !Body->isSegmented() && !isCalledBeforeTls(Body->F))
      Loading.insert(&Body->F);
    if (Body->F.hasLocalLinkage() && !Body->F.hasAddressTaken())
      Result.insert(&Body->F);
  }
  auto IsAfter = [&](const Function &F) {
    return all_of(F.users(), [&](const User *U) {
      const auto *Call = dyn_cast<CallBase>(U);
      return Call && (Loading.contains(Call->getFunction()) ||
                      Result.contains(Call->getFunction()));
    });
  };
  for (bool Changed = true; Changed;) {
    Changed = false;
    for (const auto &Body : Bodies)
      if (Result.contains(&Body->F) && !IsAfter(Body->F))
        Changed = Result.erase(&Body->F);
  }
  return Result;
}

void finishBodies(Module &M, const SourceFunctions &Sources,
                  FunctionAnalysisManager &FAM, bool IsMinimal,
                  function_ref<SmallVector<BlockEntry, 0>(Function &)> Place,
                  SmallVectorImpl<GlobalValue *> &Used) {
  std::vector<std::unique_ptr<Body>> Bodies;
  for (Function &F : M) {
    if (F.isDeclaration())
      continue;
    separateMerged(F);
    moveAfterBranches(F);
    keepMarks(F);
    Bodies.push_back(std::make_unique<Body>(F, Sources, Used));
    Bodies.back()->collect();
    Bodies.back()->plan(FAM, IsMinimal);
    Bodies.back()->assignCells();
  }
  const DenseSet<const Function *> After = calledAfterBias(Bodies);
  bool HasSegment = false;
  // First of all, since the rest hands out addresses, too.
  for (const auto &Body : Bodies)
    Body->testThread();
  for (const auto &Body : Bodies) {
    Body->rewrite(After.contains(&Body->F) ? BiasState::Set
                                           : stateAtEntry(Body->F));
    Body->emitSites();
    HasSegment |= Body->isSegmented() && Body->hasCells();
  }
  // Now that counting adds no more code, a function's first block is one that
  // can have an address.
  UnitSlots Slots;
  for (const auto &Body : Bodies)
    Body->encode(Place(Body->F), Slots);
  GlobalVariable *Unit =
      Slots.emit(M, emitRecords(M, Sources.records(), [&](uint64_t Id) {
                   return Slots.contains(Sources.byId(Id));
                 }));
  for (const auto &Body : Bodies)
    Body->emit(Unit);
  if (HasSegment)
    noteSegment(M, runtimeSymbol(M, ARCLINE_SYM_READY),
                runtimeSymbol(M, ARCLINE_SYM_THREADS));
}

} // namespace arcline

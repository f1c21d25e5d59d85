// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The inliner compares the size of a function with a threshold, so counters
// would keep functions out of line that the plain build inlines, and the
// profile would show a different program. While the default advisor examines a
// callee, its counters are removed. (A bonus on the threshold is not enough: it
// also compensates for counters in blocks that constant arguments make
// unreachable, which would inflate the text.)

#include "InlineAdvice.h"

#if ARCLINE_HAS_INLINE_ADVISOR

#include "Counters.h"
#include "IfConversion.h"
#include "Passes.h"
#include "RemovedCode.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/Analysis/InlineAdvisor.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Instructions.h"

#include <memory>

using namespace llvm;

namespace arcline {

namespace {

/// Removes counting from a function during the lifetime of this object.
class WithoutCounters {
public:
  explicit WithoutCounters(Function &F) {
    // The inliner examines no function of this size completely.
    constexpr unsigned MaxInstructions = 1 << 14;
    unsigned Number = 0;
    for (BasicBlock &Block : F)
      for (Instruction &I : make_early_inc_range(Block)) {
        if (++Number > MaxInstructions)
          return;
        if (isCounterUpdate(I) || isMarker(I) || isAmountOnly(I))
          remove(I);
      }
  }
  WithoutCounters(const WithoutCounters &) = delete;
  ~WithoutCounters() {
    for (const auto &[Marker, Target] : Targets)
      Marker->setArgOperand(0, Target);
  }

private:
  void remove(Instruction &I) {
    // The default advisor examines calls of a function in place.
    if (auto *Marker = dyn_cast<CallInst>(&I)) {
      Value *Target = Marker->getArgOperand(0);
      Targets.push_back({Marker, Target});
      Marker->setArgOperand(0, PoisonValue::get(Target->getType()));
    }
    Removed.remove(I);
  }

  static bool isMarker(const Instruction &I) {
    const auto *Call = dyn_cast<CallInst>(&I);
    const Function *Callee = Call ? Call->getCalledFunction() : nullptr;
    return Callee && Callee->getName() == IndirectMarker;
  }

  RemovedCode Removed;
  SmallVector<std::pair<CallInst *, Value *>, 4> Targets; // of markers
};

class Advisor : public InlineAdvisor {
public:
  Advisor(Module &M, FunctionAnalysisManager &FAM, const InlineParams &Params,
          InlineContext Context)
      : InlineAdvisor(M, FAM, Context), Default(M, FAM, Params, Context) {}

  static InlineAdvisor *create(Module &M, FunctionAnalysisManager &FAM,
                               InlineParams Params, InlineContext Context) {
    return new Advisor(M, FAM, Params, Context);
  }

private:
  std::unique_ptr<InlineAdvice> getAdviceImpl(CallBase &Call) override {
    const WithoutCounters Callee(*Call.getCalledFunction());
    return Default.getAdvice(Call);
  }

  DefaultInlineAdvisor Default;
};

} // namespace

void registerInlineAdvisor(ModuleAnalysisManager &MAM) {
  MAM.registerPass([] { return PluginInlineAdvisorAnalysis(Advisor::create); });
}

} // namespace arcline

#else

void arcline::registerInlineAdvisor(llvm::ModuleAnalysisManager &) {}

#endif

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "SlowPasses.h"

#include "Passes.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/PassInstrumentation.h"
#include "llvm/Passes/PassBuilder.h"

using namespace llvm;

namespace arcline {

/// Above it a query takes 0.1 s and more: the depth of the search is 6.
static constexpr unsigned MostSelfReferences = 8;

/// The only value besides constants that a phi has, if there are both. Source:
/// simplifyCommonValuePhi() of LLVM's CorrelatedValuePropagation, which asks
/// whether that value may be poison.
static const Value *commonValue(const PHINode &Phi) {
  const Value *Common = nullptr;
  bool HasConstant = false;
  for (const Value *Incoming : Phi.incoming_values()) {
    if (isa<Constant>(Incoming))
      HasConstant = true;
    else if (Common && Incoming != Common)
      return nullptr;
    else
      Common = Incoming;
  }
  return HasConstant ? Common : nullptr;
}

static bool isSlow(const Function &F) {
  for (const BasicBlock &Block : F)
    for (const PHINode &Phi : Block.phis()) {
      const auto *Common = dyn_cast_or_null<PHINode>(commonValue(Phi));
      if (Common && Common != &Phi &&
          count(Common->incoming_values(), Common) > MostSelfReferences)
        return true;
    }
  return false;
}

void skipSlowPasses(PassBuilder &Builder) {
  PassInstrumentationCallbacks *Callbacks =
      Builder.getPassInstrumentationCallbacks();
  if (!Callbacks)
    return;
  Callbacks->registerShouldRunOptionalPassCallback(
      [](StringRef Pass, Any Unit) {
        if (Pass != "CorrelatedValuePropagationPass")
          return true;
        const auto *F = any_cast<const Function *>(&Unit);
        return !F || !(*F)->hasFnAttribute(EligibleAttribute) || !isSlow(**F);
      });
}

} // namespace arcline

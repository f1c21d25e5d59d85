// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Makes LLVM's inliner decide as if nothing were counted.
#ifndef ARCLINE_INLINEADVICE_H
#define ARCLINE_INLINEADVICE_H

#include "Compat.h"

#include "llvm/IR/PassManager.h"

namespace arcline {

/// Without an advisor, functions get a bonus for their counters instead.
inline constexpr bool HasInlineAdvisor = ARCLINE_HAS_INLINE_ADVISOR;

/// Register the advisor, if there can be one.
void registerInlineAdvisor(llvm::ModuleAnalysisManager &MAM);

} // namespace arcline

#endif

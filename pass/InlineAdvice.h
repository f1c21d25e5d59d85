// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Makes LLVM's inliner decide as if nothing were counted.
#ifndef ARCLINE_INLINEADVICE_H
#define ARCLINE_INLINEADVICE_H

#include "llvm/Config/llvm-config.h"
#include "llvm/IR/PassManager.h"

namespace arcline {

/// LLVM 17 and later accept an inline advisor from a plugin. Before, functions
/// get a bonus for their counters instead.
inline constexpr bool HasInlineAdvisor = LLVM_VERSION_MAJOR >= 17;

/// Register the advisor, if there can be one.
void registerInlineAdvisor(llvm::ModuleAnalysisManager &MAM);

} // namespace arcline

#endif

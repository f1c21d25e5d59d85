// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Counts calls at their call sites, in functions without block counters.
#ifndef ARCLINE_CALLSITES_H
#define ARCLINE_CALLSITES_H

#include "llvm/IR/PassManager.h"

namespace arcline {

class FlowGraph;

/// Let PlacePass know, wherever they end up, what each indirect call calls.
/// Returns the number of indirect calls.
unsigned markIndirectCalls(const FlowGraph &Graph, uint64_t Id);

/// For code without block counters, after all inlining: give each function that
/// CountPass found eligible as few counters as tell how often it was entered
/// and each of its calls was made.
void countCallSites(llvm::Module &M, llvm::FunctionAnalysisManager &FAM);

} // namespace arcline

#endif

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Counts calls at their call sites, in functions without block counters.
#ifndef ARCLINE_CALLSITES_H
#define ARCLINE_CALLSITES_H

#include "llvm/IR/PassManager.h"

namespace arcline {

class FlowGraph;

/// Mark the callee of each indirect call for PlacePass. Returns the number of
/// indirect calls.
unsigned markIndirectCalls(const FlowGraph &Graph, uint64_t Id);

/// For code without block counters, after all inlining: give each function that
/// CountPass found eligible as few counters as determine its entries and the
/// number of times that each of its calls was made.
void countCallSites(llvm::Module &M, llvm::FunctionAnalysisManager &FAM);

} // namespace arcline

#endif

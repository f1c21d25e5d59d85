// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The passes of the plugin and what they share.
///
/// CountPass runs first of all, on the source's own control flow: it plans and
/// inserts counters and leaves the constant data of arcline/abi.h. PlacePass
/// runs last of all: it redirects counters to the running thread's copy, gives
/// blocks addresses, and inserts the calls that count arcs.
#ifndef ARCLINE_PASSES_H
#define ARCLINE_PASSES_H

#include "llvm/ADT/StringRef.h"
#include "llvm/IR/PassManager.h"

namespace llvm {
class Function;
class GlobalVariable;
class Module;
} // namespace llvm

namespace arcline {

/// What ARCLINE_PASS_OPTIONS says.
struct Options {
  bool Calls = true;  // count arcs: calls=mcount (default) or calls=off
  bool Blocks = true; // count basic blocks: blocks=on (default) or blocks=off

  /// Read the environment. A bad value is reported through M's context and
  /// both jobs are switched off, so that the module stays unchanged.
  static Options fromEnvironment(llvm::Module &M);
};

/// All policy on what is instrumented at all; asked once, by CountPass, on the
/// functions as the front end made them.
class Eligibility {
public:
  explicit Eligibility(llvm::Module &M);
  bool mayInstrument(const llvm::Function &F) const;

private:
  llvm::SmallPtrSet<const llvm::Function *, 4> Resolvers; // of ifuncs
  bool HasEntryRequests; // the front end marked what it may instrument
};

/// Attribute of functions that CountPass found eligible; its value is the
/// function's name at that time, which tells clones from the original.
inline constexpr llvm::StringLiteral EligibleAttribute = "arcline-function";

/// Named metadata from CountPass to PlacePass: {id, function, record} each.
inline constexpr llvm::StringLiteral RecordsMetadata = "arcline.records";

/// Module flag: the module has been through CountPass.
inline constexpr llvm::StringLiteral InstrumentedFlag = "arcline-instrumented";

struct CountPass : llvm::PassInfoMixin<CountPass> {
  llvm::PreservedAnalyses run(llvm::Module &M, llvm::ModuleAnalysisManager &AM);
  static bool isRequired() { return true; } // -O0 marks functions optnone
};

struct PlacePass : llvm::PassInfoMixin<PlacePass> {
  llvm::PreservedAnalyses run(llvm::Module &M, llvm::ModuleAnalysisManager &AM);
  static bool isRequired() { return true; }
};

} // namespace arcline

#endif

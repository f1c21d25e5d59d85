// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Declares the passes of the plugin and the data that they share.
///
/// CountPass runs first of all, on the source's own control flow: it plans and
/// inserts counters and leaves the constant data of arcline/abi.h. PlacePass
/// runs last of all: it redirects counters to the running thread's copy, gives
/// blocks addresses, and inserts the calls that count arcs.
#ifndef ARCLINE_PASSES_H
#define ARCLINE_PASSES_H

#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/IR/PassManager.h"

namespace llvm {
class CallBase;
class Function;
class GlobalVariable;
class Module;
} // namespace llvm

namespace arcline {

enum class CallCounting {
  Off,
  Sites,  // arcs follow from how often call sites run
  Mcount, // every function calls __arcline_mcount
};

/// The options in ARCLINE_PASS_OPTIONS.
struct Options {
  CallCounting Calls = CallCounting::Sites; // calls=on, off or mcount
  bool Blocks = true;  // count basic blocks: blocks=on or off
  bool Promote = true; // keep counts of loops in registers: promote=on or off
  bool Segment = true; // access cells by the segment register GS, if it is
                       // free: segment=on or off
  bool Atomic = false; // increment cells by one instruction, if the CPU has it:
                       // atomic=on or off
  bool Announced = false; // the program is linked with code that announces
                          // threads: threads=announced or unannounced
  bool Lifetimes = false; // mark lifetimes of variables, which the front end
                          // does not: lifetimes=on or off
  bool Decisions = false; // count the conditions that determined the outcome of
                          // decisions: mcdc=on or off
  std::string Suite;      // folder of a test suite's profiles: suite=FOLDER

  /// Read the environment. A bad value is reported through M's context and
  /// all jobs are switched off, so that the module stays unchanged.
  static Options fromEnvironment(llvm::Module &M);
};

/// Can the runtime run on the target of M? Not on GPUs, for which clang
/// compiles the same file once more, nor in the kernel's BPF.
bool hasRuntime(const llvm::Module &M);

/// Is this code that may go into a shared object?
bool isShared(const llvm::Module &M);

/// All policy on what is instrumented at all; called once, by CountPass, on the
/// functions as the front end made them.
class Eligibility {
public:
  explicit Eligibility(llvm::Module &M);
  bool mayInstrument(const llvm::Function &F) const;

  /// Resolvers of ifuncs, which run before the program is relocated.
  llvm::ArrayRef<llvm::Function *> resolvers() const {
    return Resolvers.getArrayRef();
  }

private:
  llvm::SmallSetVector<llvm::Function *, 4> Resolvers;
  bool HasEntryRequests; // the front end marked what it may instrument
};

/// Attribute of functions that CountPass found eligible; its value is the
/// function's name at that time, which distinguishes clones from the original.
inline constexpr llvm::StringLiteral EligibleAttribute = "arcline-function";

/// Named metadata from CountPass to PlacePass: for each function with counters
/// its record, its counters, and its name.
inline constexpr llvm::StringLiteral RecordsMetadata = "arcline.records";

/// Function called before each indirect call, until PlacePass puts the real
/// thing there: void (ptr callee, i64 id of the function, i32 call site).
inline constexpr llvm::StringLiteral IndirectMarker = "arcline.indirect";

/// Attribute of our probes, which distinguishes them from those for sampling
/// profiles.
inline constexpr unsigned ProbeMark = 1u << 30;

/// Metadata in place of a probe on the terminator of a block that may have
/// none: id of the function and node.
inline constexpr llvm::StringLiteral NodeMetadata = "arcline.node";

/// Named metadata, empty: counts of loops may be kept in registers.
inline constexpr llvm::StringLiteral PromoteMetadata = "arcline.promote";

/// Named metadata, empty: code may reach cells by a segment register.
inline constexpr llvm::StringLiteral SegmentMetadata = "arcline.segment";

/// The same: cells are incremented by one instruction.
inline constexpr llvm::StringLiteral AtomicMetadata = "arcline.atomic";

/// The same: threads are announced.
inline constexpr llvm::StringLiteral AnnouncedMetadata = "arcline.announced";

/// Module flags: the module has been through CountPass; how calls are counted
/// (a CallCounting).
inline constexpr llvm::StringLiteral InstrumentedFlag = "arcline-instrumented";
inline constexpr llvm::StringLiteral CallsFlag = "arcline-calls";

/// A call that may fail to come back ends a node of the flow graph.
bool mayNotReturn(const llvm::CallBase &Call);

/// setjmp() and similar functions: control may reach the code after the call
/// again.
bool mayReturnTwice(const llvm::CallBase &Call);

struct CountPass : llvm::PassInfoMixin<CountPass> {
  llvm::PreservedAnalyses run(llvm::Module &M, llvm::ModuleAnalysisManager &AM);
  static bool isRequired() { return true; } // -O0 marks functions optnone
};

/// Moves counter updates out of loops, early enough for the optimiser to do
/// what it would have done without them.
struct PromotePass : llvm::PassInfoMixin<PromotePass> {
  llvm::PreservedAnalyses run(llvm::Function &F,
                              llvm::FunctionAnalysisManager &FAM);
};

/// Has what PromotePass keeps in a register computed before the loop, if its
/// trip count is known: right before loops are vectorised.
struct TripCountPass : llvm::PassInfoMixin<TripCountPass> {
  llvm::PreservedAnalyses run(llvm::Function &F,
                              llvm::FunctionAnalysisManager &FAM);
};

struct PlacePass : llvm::PassInfoMixin<PlacePass> {
  llvm::PreservedAnalyses run(llvm::Module &M, llvm::ModuleAnalysisManager &AM);
  static bool isRequired() { return true; }
};

} // namespace arcline

#endif

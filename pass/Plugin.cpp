// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Registers the passes with clang and opt.
///
///   clang -fpass-plugin=ArclinePass.so -g -O2 ...
///   opt -load-pass-plugin=ArclinePass.so -passes=arcline-count,arcline-place

#include "Compat.h"
#include "InlineAdvice.h"
#include "JoinedCounters.h"
#include "Passes.h"
#include "SlowPasses.h"

#include "llvm-c/Core.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

/// Let the optimiser search as far as without counters. Walking up from one
/// access of memory to another one, it stops after a limit of accesses in
/// between, and counters and probes are accesses: code with many short inlined
/// functions has ten of them for each access of the program.
static void searchFarther() {
  constexpr StringLiteral Limit = "memssa-check-limit";
  constexpr StringLiteral TenTimes = "1000";
  auto Found = cl::getRegisteredOptions().find(Limit);
  if (Found != cl::getRegisteredOptions().end() &&
      Found->second->getNumOccurrences() == 0)
    Found->second->addOccurrence(0, Limit, TenTimes);
}

static void registerPasses(PassBuilder &Builder) {
  searchFarther();
  arcline::skipSlowPasses(Builder);
  // The pass adds assembly, for which flang does not initialise a parser.
  InitializeAllAsmParsers();
  Builder.registerAnalysisRegistrationCallback(
      [](ModuleAnalysisManager &MAM) { arcline::registerInlineAdvisor(MAM); });
  Builder.registerPipelineStartEPCallback(
      [](ModulePassManager &Passes, OptimizationLevel) {
        Passes.addPass(arcline::CountPass());
      });
  // The first of several times is before loop passes.
  Builder.registerPeepholeEPCallback(
      [](FunctionPassManager &Passes, OptimizationLevel) {
        Passes.addPass(arcline::JoinPass());
        Passes.addPass(arcline::PromotePass());
      });
  Builder.registerVectorizerStartEPCallback(
      [](FunctionPassManager &Passes, OptimizationLevel) {
        Passes.addPass(arcline::TripCountPass());
      });
  // LLVM 20 added a parameter for the phase of LTO.
  Builder.registerOptimizerLastEPCallback(
      [](ModulePassManager &Passes, OptimizationLevel, auto...) {
        Passes.addPass(arcline::PlacePass());
      });
  Builder.registerPipelineParsingCallback(
      [](StringRef Name, ModulePassManager &Passes,
         ArrayRef<PassBuilder::PipelineElement>) {
        if (Name == "arcline-count")
          Passes.addPass(arcline::CountPass());
        else if (Name == "arcline-join")
          Passes.addPass(
              createModuleToFunctionPassAdaptor(arcline::JoinPass()));
        else if (Name == "arcline-promote")
          Passes.addPass(
              createModuleToFunctionPassAdaptor(arcline::PromotePass()));
        else if (Name == "arcline-trip-counts")
          Passes.addPass(
              createModuleToFunctionPassAdaptor(arcline::TripCountPass()));
        else if (Name == "arcline-place")
          Passes.addPass(arcline::PlacePass());
        else
          return false;
        return true;
      });
}

extern "C" __attribute__((visibility("default"))) PassPluginLibraryInfo
llvmGetPassPluginInfo() {
  unsigned Major = 0;
  LLVMGetVersion(&Major, nullptr, nullptr);
  if (Major != LLVM_VERSION_MAJOR) {
    errs() << "arcline: this ArclinePass.so is for LLVM " << LLVM_VERSION_MAJOR
           << ", not for LLVM " << Major << "; use clang-" << LLVM_VERSION_MAJOR
           << ", or build Arcline with -DLLVM_DIR for LLVM " << Major << "\n";
    return {0, "Arcline", "", nullptr};
  }
  return {LLVM_PLUGIN_API_VERSION, "Arcline", ARCLINE_VERSION, registerPasses};
}

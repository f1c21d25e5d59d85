// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Emits references to the runtime: the symbols of arcline/abi.h as IR.
#ifndef ARCLINE_RUNTIMECALLS_H
#define ARCLINE_RUNTIMECALLS_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/IR/DebugLoc.h"
#include "llvm/IR/IRBuilder.h"

namespace llvm {
class CallInst;
class Constant;
class Function;
class GlobalVariable;
class Instruction;
class Module;
class Value;
} // namespace llvm

namespace arcline {

/// An address of F that no other object can preempt.
llvm::Constant *localAddress(llvm::Function &F);

/// Calls in a function with debug information must have a location.
llvm::DebugLoc entryLocation(const llvm::Function &F);

/// The place after the static allocas, which must stay in the entry block.
llvm::Instruction *afterAllocas(llvm::Function &F);

/// Make F count the arc of its call.
void insertMcount(llvm::Function &F);

/// The state of the bias when F is entered.
enum class BiasState {
  Set,     // the caller of F has loaded the bias before
  Unset,   // this thread may not have a copy of the cells yet
  Unready, // nor may there be thread-local storage yet
};

/// Make F load the distance from cells to the running thread's copy of them,
/// in bytes.
llvm::Instruction *insertBias(llvm::Function &F, BiasState State);

/// Make F announce the running thread to the runtime if that has not been done.
void insertThreadTest(llvm::Function &F);

/// A byte of the runtime.
llvm::GlobalVariable *runtimeSymbol(llvm::Module &M, llvm::StringRef Name);

/// Does the C library of a static executable call F to set up thread-local
/// storage? A program may define such functions itself.
bool isCalledBeforeTls(const llvm::Function &F);

/// The weakest state in which F can be entered from outside of its module.
BiasState stateAtEntry(const llvm::Function &F);

/// Make a resolver of an ifunc, which may run before there is thread-local
/// storage, let the runtime provide some.
void insertResolverCall(llvm::Function &Resolver);

/// Make the runtime write a profile before each call in F of a function of the
/// exec family.
void insertExecCalls(llvm::Function &F);

/// Make the runtime check whether it runs in a new process, around each call in
/// F that may make one without running handlers of fork().
void insertForkCalls(llvm::Function &F);

/// Does the module declare a function that one of the two looks for? Otherwise
/// no instruction has to be read.
bool declaresProcessCalls(const llvm::Module &M);

/// Replace the marker of an indirect call, where Site is the record:
///
///   if (callee != site.callee) {
///     if (callee == site.second) ++cell;
///     else __arcline_indirect(&site, callee);
///   }
///
/// CellsIn returns the address of this thread's cells, at an instruction.
void lowerIndirectMarker(
    llvm::CallInst *Marker, llvm::Constant *Site, unsigned Cell,
    llvm::function_ref<llvm::Value *(llvm::Instruction *)> CellsIn);

} // namespace arcline

#endif

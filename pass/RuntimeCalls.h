// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// How instrumented code gets at the runtime: the symbols of arcline/abi.h as
/// IR.
#ifndef ARCLINE_RUNTIMECALLS_H
#define ARCLINE_RUNTIMECALLS_H

#include "llvm/IR/DebugLoc.h"
#include "llvm/IR/DerivedTypes.h"

namespace llvm {
class Constant;
class Function;
class Instruction;
class Module;
class Value;
} // namespace llvm

namespace arcline {

/// An address of F that no other object can preempt.
llvm::Constant *localAddress(llvm::Function &F);

/// A function of the runtime's.
llvm::FunctionCallee runtimeFunction(llvm::Module &M, llvm::StringRef Name,
                                     llvm::FunctionType *Type);

/// Calls in a function with debug information must have a location.
llvm::DebugLoc entryLocation(const llvm::Function &F);

/// Make F count the arc that it was called over.
void insertMcount(llvm::Function &F);

/// Make F load the distance from cells to the running thread's copy of them.
/// Returns the distance, in bytes; it is a phi at the beginning of a block.
llvm::Instruction *insertBias(llvm::Function &F);

} // namespace arcline

#endif

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Gives each function that is left after inlining its cells, and emits the
/// constant data of arcline/abi.h that tells what they stand for.
#ifndef ARCLINE_BODIES_H
#define ARCLINE_BODIES_H

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/PassManager.h"

namespace llvm {
class Function;
class GlobalValue;
class GlobalVariable;
class Module;
} // namespace llvm

namespace arcline {

/// A source function that CountPass has seen.
struct SourceFunction {
  uint64_t Id;
  llvm::GlobalVariable *Record;   // struct arcline_func
  llvm::GlobalVariable *Counters; // null if it has none
  llvm::Function *Body;           // null if it was inlined everywhere
};

/// All that CountPass has seen in a module.
class SourceFunctions {
public:
  /// Read the metadata that CountPass left, and remove it.
  explicit SourceFunctions(llvm::Module &M);

  /// Leave the metadata of one function.
  static void note(llvm::Function &F, uint64_t Id, llvm::GlobalVariable *Record,
                   llvm::GlobalVariable *Counters);

  bool empty() const { return All.empty(); }
  const SourceFunction *byId(uint64_t Id) const;
  const SourceFunction *byCounters(const llvm::GlobalVariable *Counters) const;
  const SourceFunction *byBody(const llvm::Function *Body) const;

  /// Remove the counters, which nothing uses any more.
  void eraseCounters(llvm::Module &M);

private:
  llvm::SmallVector<SourceFunction, 0> All;
  llvm::DenseMap<uint64_t, unsigned> ById;
  llvm::DenseMap<const llvm::GlobalVariable *, unsigned> ByCounters;
  llvm::DenseMap<const llvm::Function *, unsigned> ByBody;
};

/// In each function, replace the counters that it updates, of whatever source
/// function, by cells of its own, and the markers of indirect calls by what
/// they stand for.
///
/// IsMinimal  there are no more counters than needed already
/// Used       gets what must not be dropped for want of references
void finishBodies(llvm::Module &M, const SourceFunctions &Sources,
                  llvm::FunctionAnalysisManager &FAM, bool IsMinimal,
                  llvm::SmallVectorImpl<llvm::GlobalValue *> &Used);

/// Coroutines are counted where they start; that they are resumed is no call.
bool isResumePart(const llvm::Function &F);

/// Let the linker treat data as it treats F: in F's group, and kept or dropped
/// with it.
void attachTo(llvm::Function &F, llvm::GlobalVariable &Data);

} // namespace arcline

#endif

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Passes the results of CountPass about functions to PlacePass, as metadata.
#ifndef ARCLINE_SOURCEFUNCTIONS_H
#define ARCLINE_SOURCEFUNCTIONS_H

#include "Records.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"

namespace llvm {
class Function;
class GlobalVariable;
class Module;
} // namespace llvm

namespace arcline {

/// A source function that CountPass has seen.
struct SourceFunction {
  RecordData Record;
  llvm::GlobalVariable *Counters; // null if it has none
  llvm::Function *Body;           // null if it was inlined everywhere
};

/// All functions that CountPass has seen in a module.
class SourceFunctions {
public:
  /// Read the metadata that CountPass left, and remove it.
  explicit SourceFunctions(llvm::Module &M);

  /// Add the metadata of one function.
  static void note(llvm::Function &F, const RecordData &Record,
                   llvm::GlobalVariable *Counters);

  bool empty() const { return All.empty(); }
  llvm::SmallVector<RecordData, 0> records() const;
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

/// Coroutines are counted when they start; resuming is no call.
bool isResumePart(const llvm::Function &F);

} // namespace arcline

#endif

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What a counter looks like between CountPass, which makes it, and PlacePass,
/// which replaces it: an element of a private array of its function, updated by
/// load, add and store. The array is never emitted.
///
/// Two things keep counters apart from one another. They do not touch in the
/// array, lest a vectoriser takes two for a vector. And the accesses are atomic
/// (unordered, which hinders nothing else) in synchronisation scopes that
/// differ from one to the next, lest SimplifyCFG makes one update of several,
/// with a phi for the address.
#ifndef ARCLINE_COUNTERS_H
#define ARCLINE_COUNTERS_H

#include "llvm/ADT/StringRef.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Metadata.h"

#include <optional>

namespace llvm {
class BinaryOperator;
class DataLayout;
class GlobalVariable;
class Instruction;
class LoadInst;
class MDNode;
class Module;
class StoreInst;
class Value;
} // namespace llvm

namespace arcline {

/// Elements of the array from one counter to the next.
inline constexpr unsigned CounterStride = 2;

/// Create the counters of a function.
llvm::GlobalVariable *createCounters(llvm::Module &M, unsigned Number,
                                     llvm::StringRef Function);

/// The tag that tells alias analysis that no access of the program's own
/// touches counters; null if the module does without such tags.
llvm::MDNode *counterAccessTag(llvm::Module &M);

struct CounterRef {
  llvm::GlobalVariable *Counters;
  unsigned Index;

  bool operator==(const CounterRef &Other) const {
    return Counters == Other.Counters && Index == Other.Index;
  }
};

/// Number of counters in an array of createCounters().
unsigned numCounters(const llvm::GlobalVariable &Counters);

/// The counter that a pointer points to, if it can be told.
std::optional<CounterRef> counterAt(const llvm::Value *Pointer,
                                    const llvm::DataLayout &Layout);

/// Add Amount to a counter before Place.
void addToCounter(llvm::Instruction *Place, CounterRef Counter,
                  llvm::Value *Amount, llvm::MDNode *AccessTag);

/// An addition to a counter that stands for itself: nothing else uses the
/// values loaded and stored.
struct CounterUpdate {
  CounterRef Counter;
  llvm::LoadInst *Load;
  llvm::BinaryOperator *Sum;
  llvm::StoreInst *Store;
  llvm::Value *Amount;

  void erase() const;
};

/// Let sanitizers pass over a memory access of our own. Cells are a thread's
/// alone, but the memory of a thread that has ended goes to another one: what
/// happens before what is known to the runtime, not to ThreadSanitizer.
template <typename Access> Access *hideFromSanitizers(Access *I) {
  I->setMetadata(llvm::LLVMContext::MD_nosanitize,
                 llvm::MDNode::get(I->getContext(), {}));
  return I;
}

/// Turn an access to a counter into a plain one at Address.
void makePlain(llvm::Instruction &Access, llvm::Value *Address);

/// The update that ends with Store, if it is one.
std::optional<CounterUpdate> counterUpdate(llvm::StoreInst &Store,
                                           const llvm::DataLayout &Layout);

} // namespace arcline

#endif

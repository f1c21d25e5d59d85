// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Defines the form of a counter between CountPass, which makes it, and
/// PlacePass, which replaces it: an element of a private array of its function,
/// updated by atomicrmw. The array is never emitted, and no atomic instruction
/// is left.
///
///   atomicrmw nand ptr @counters, i64 k + 1    adds 1 to counter k
///   atomicrmw add ptr @counters + 8*k, i64 n   adds n, which is no constant
///
/// In the first form no address is a constant expression: many passes fold each
/// of those again, and account for its users. LLVM makes nothing else of
/// `nand`, while it makes `sub` of `add` in some versions.
///
/// It is one instruction, which the optimiser does not split: LICM, GVN and PRE
/// would hoist and sink separate loads and stores, until a counter is in a
/// register across calls. It is monotonic because that orders no other access.
/// Synchronisation scopes differ from one counter to the next, so that
/// SimplifyCFG does not make one update of several, with a phi for the address;
/// there are not enough scopes for all, so that it still may.
#ifndef ARCLINE_COUNTERS_H
#define ARCLINE_COUNTERS_H

#include "llvm/ADT/StringRef.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Metadata.h"

#include <optional>

namespace llvm {
class AtomicRMWInst;
class DataLayout;
class Function;
class GlobalVariable;
class Instruction;
class LoadInst;
class MDNode;
class Module;
class StoreInst;
class Value;
} // namespace llvm

namespace arcline {

/// Create the counters of a function.
///
/// Number  null: open-ended; all updates have to have the first form
llvm::GlobalVariable *createCounters(llvm::Module &M,
                                     std::optional<unsigned> Number,
                                     llvm::StringRef Function);

bool isOpenEnded(const llvm::GlobalVariable &Counters);

/// The tag that excludes aliases between counters and accesses of the program;
/// null if the module has no such tags.
llvm::MDNode *counterAccessTag(llvm::Module &M);

struct CounterRef {
  llvm::GlobalVariable *Counters;
  unsigned Index;

  bool operator==(const CounterRef &Other) const {
    return Counters == Other.Counters && Index == Other.Index;
  }
};

/// Number of counters in an array of createCounters(); of an open-ended one the
/// largest possible.
unsigned numCounters(const llvm::GlobalVariable &Counters);

/// The counter that a pointer points to, if there is only one.
std::optional<CounterRef> counterAt(const llvm::Value *Pointer,
                                    const llvm::DataLayout &Layout);

/// Add Amount to a counter before Place.
llvm::AtomicRMWInst *addToCounter(llvm::Instruction *Place, CounterRef Counter,
                                  llvm::Value *Amount, llvm::MDNode *AccessTag);

/// Make an update of the first form that of another counter. It keeps its
/// scope.
void setCounter(llvm::AtomicRMWInst &Update, CounterRef Counter);

/// An addition to a counter.
struct CounterUpdate {
  CounterRef Counter;
  llvm::AtomicRMWInst *Instruction;
  llvm::Value *Amount;

  /// Is it one that CountPass made, where an edge is counted? Not a sum.
  bool isOfEdge() const;
};

/// I as an update, if it updates one known counter.
std::optional<CounterUpdate> counterUpdate(llvm::Instruction &I,
                                           const llvm::DataLayout &Layout);

/// Is this an update of some counter, known or not?
bool isCounterUpdate(const llvm::Instruction &I);

/// Is it what is left of an addition of 0 after InstCombine? It has no effect.
bool isLeftover(const llvm::Instruction &I, const llvm::DataLayout &Layout);

/// Undo the merge of two updates of the same scope by SimplifyCFG, to one
/// update with a phi or select for the address.
void separateUpdates(llvm::Function &F);

/// Exclude a memory access of counters from sanitizers. Cells belong to one
/// thread, but the memory of a thread that has ended is reused for another one:
/// the runtime orders these accesses, which ThreadSanitizer does not see.
template <typename Access> Access *hideFromSanitizers(Access *I) {
  I->setMetadata(llvm::LLVMContext::MD_nosanitize,
                 llvm::MDNode::get(I->getContext(), {}));
  return I;
}

/// The final form of an update.
struct PlainUpdate {
  llvm::LoadInst *Load;
  llvm::StoreInst *Store;
};

/// Replace an update of a counter by load, add and store at Address.
PlainUpdate makePlain(llvm::AtomicRMWInst &Update, llvm::Value *Address);

/// The same, by one instruction, which a signal handler cannot split, if that
/// is requested and F's CPU has it and needs no lock for it: LSE, Zaamo.
void makeFinal(llvm::AtomicRMWInst &Update, llvm::Value *Address);

/// The address of a counter.
llvm::Value *addressOf(CounterRef Counter);

} // namespace arcline

#endif

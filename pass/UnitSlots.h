// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Emits the list of source functions that the bodies of a unit refer to: a
/// small number for each, in place of a relocation for each reference.
#ifndef ARCLINE_UNITSLOTS_H
#define ARCLINE_UNITSLOTS_H

#include "Records.h"

#include "llvm/ADT/MapVector.h"

namespace llvm {
class GlobalVariable;
class Module;
} // namespace llvm

namespace arcline {

struct SourceFunction;

class UnitSlots {
public:
  /// The place of a function in the list, which becomes the next one if it has
  /// none.
  unsigned slotOf(const SourceFunction &Source) {
    return Slots.insert({&Source, unsigned(Slots.size())}).first->second;
  }

  bool contains(const SourceFunction *Source) const {
    return Slots.find(Source) != Slots.end();
  }

  /// Emit the list, once all functions have their slots.
  ///
  /// Places  of the functions' records
  llvm::GlobalVariable *
  emit(llvm::Module &M,
       const llvm::DenseMap<uint64_t, RecordPlace> &Places) const;

private:
  llvm::MapVector<const SourceFunction *, unsigned> Slots;
};

} // namespace arcline

#endif

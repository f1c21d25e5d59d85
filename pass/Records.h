// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Emits the records of source functions (struct arcline_func) once code is
/// final. Until then they are metadata: passes would visit thousands of
/// variables again and again.
#ifndef ARCLINE_RECORDS_PASS_H
#define ARCLINE_RECORDS_PASS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <string>

namespace llvm {
class Constant;
class GlobalVariable;
class Metadata;
class MDNode;
class Module;
class Twine;
} // namespace llvm

namespace arcline {

/// The address of the byte at Offset in Base.
llvm::Constant *at(llvm::GlobalVariable *Base, uint64_t Offset);

/// The distance from the field at Offset in Holder to Target, an arcline_rel32.
llvm::Constant *relative(llvm::Constant *Target, llvm::GlobalVariable *Holder,
                         uint64_t Offset);

/// Emit bytes in ARCLINE_SECTION_DATA.
llvm::GlobalVariable *createData(llvm::Module &M, llvm::StringRef Bytes,
                                 const llvm::Twine &Name);

/// The parts of the record of a function.
struct RecordData {
  uint64_t Id;
  unsigned NumCounters;
  unsigned Flags;        // enum arcline_func_flags
  bool IsBorrowed;       // another object owns the function
  llvm::StringRef Graph; // encoded
  llvm::StringRef Lines; // assembly
};

/// The place of a struct arcline_func.
struct RecordPlace {
  llvm::GlobalVariable *Holder;
  uint64_t Offset;
};

/// The group of a function's record, of which the linker picks one. Its name is
/// the id, which separates functions that were compiled to different graphs,
/// and is shorter than the function's.
std::string recordGroup(uint64_t Id);

/// A record as metadata, and the record that was.
llvm::Metadata *toMetadata(llvm::Module &M, const RecordData &Record);
RecordData fromMetadata(const llvm::MDNode &Node);

/// Keep what all records of a unit share.
///
/// Names  the strings that graphs refer to
/// Lines  assembly
void noteUnit(llvm::Module &M, llvm::StringRef Names, llvm::StringRef Lines);

/// Emit records, of borrowed functions only if they are used. Returns their
/// places, by id.
llvm::DenseMap<uint64_t, RecordPlace>
emitRecords(llvm::Module &M, llvm::ArrayRef<RecordData> Records,
            llvm::function_ref<bool(uint64_t Id)> IsUsed);

} // namespace arcline

#endif

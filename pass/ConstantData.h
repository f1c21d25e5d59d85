// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Encodes the constant data of arcline/abi.h that comes from CountPass: what
/// records of functions, their graphs and strings, and lines are made of.
#ifndef ARCLINE_CONSTANTDATA_H
#define ARCLINE_CONSTANTDATA_H

#include "FlowGraph.h"
#include "Records.h"
#include "SourceFiles.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringMap.h"

namespace llvm {
class Constant;
class Function;
class GlobalVariable;
class Module;
} // namespace llvm

namespace arcline {

/// The encoding Z of abi.h.
uint64_t zigzag(int64_t Value);

/// Is this code to be optimised once more, together with other modules?
bool isBeforeLinkTimeOptimisation(const llvm::Module &M);

/// Let the linker treat data as it treats F: in a group with it, or in one of
/// F's data, and kept or dropped with it.
void attachTo(llvm::Function &F, llvm::GlobalVariable &Data);

/// Put data that F's code refers to into a section.
void putForCode(const llvm::Function &F, llvm::GlobalVariable &Data,
                llvm::StringRef Section);

/// Before link-time optimisation, have a table that is attached to F, and that
/// no code refers to, kept as long as F's code, copies of it included.
///
/// Cells  of F, attached to it, too; null if it has none
void keepWithCode(llvm::Function &F, llvm::GlobalVariable *Cells,
                  llvm::GlobalVariable &Table);

class ConstantData {
public:
  ConstantData(llvm::Module &M, SourceFiles &Sources);

  /// The identity of a function: a hash of its name, graph and lines, and of
  /// the unit if the function is local to it. The same in every unit that
  /// instantiates the same inline function.
  uint64_t identify(const FlowGraph &Graph, bool DerivesArcs) const;

  /// Add a function.
  ///
  /// DerivesArcs  calls of it are counted where they are made
  void addRecord(const FlowGraph &Graph, uint64_t Id, bool DerivesArcs);

  /// Finish all records, which are returned in the order of the functions and
  /// live as long as this. Call once, last.
  std::vector<RecordData> finish();

private:
  /// NUL-terminated strings, each of them once; at offset 0 is the empty one.
  class StringTable {
  public:
    uint64_t offsetOf(llvm::StringRef String);
    llvm::StringRef bytes() const { return Bytes; }

  private:
    std::string Bytes = std::string(1, '\0');
    llvm::StringMap<uint64_t> Offsets;
  };

  uint64_t nameOffset(llvm::StringRef Name);
  uint64_t fileOffset(const llvm::DIFile *File, const FlowGraph &Graph);
  std::string digests() const;
  std::string encode(const FlowGraph &Graph);
  std::string encodeLines(const FlowGraph &Graph);
  struct Record {
    uint64_t Id;
    unsigned NumCounters;
    unsigned Flags;    // enum arcline_func_flags
    std::string Graph; // encoded
    bool IsBorrowed;   // another object owns the function
    std::string Lines; // encoded, as are decisions; at last, assembly
    std::optional<std::string> Decisions;
    std::string Name;                 // if it may be shortened, else empty
    std::vector<std::string> Aliases; // the same
  };

  std::string linesAssembly(const Record &R, uint64_t FilesId) const;

  llvm::Module &M;
  SourceFiles &Sources;
  std::string UnitId;
  StringTable Strings, Files;
  llvm::DenseMap<uint64_t, std::string> Digests; // of files, by their offsets
  llvm::DenseMap<const llvm::Function *, llvm::SmallVector<llvm::StringRef, 1>>
      Aliases;
  std::vector<Record> Records;
};

} // namespace arcline

#endif

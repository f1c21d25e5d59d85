// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Emits the constant data of arcline/abi.h: function records, encoded graphs
/// and the strings that they refer to.
#ifndef ARCLINE_CONSTANTDATA_H
#define ARCLINE_CONSTANTDATA_H

#include "FlowGraph.h"

#include "llvm/ADT/StringMap.h"

namespace llvm {
class Comdat;
class GlobalVariable;
class Module;
class StructType;
} // namespace llvm

namespace arcline {

/// Where a function's counters live and what its record is called.
struct FunctionData {
  uint64_t Id;
  llvm::Comdat *Group; // null for functions that exist once anyway
  llvm::GlobalVariable *Counters;
  unsigned FirstCounter; // index within Counters
};

class ConstantData {
public:
  explicit ConstantData(llvm::Module &M);

  /// The identity of a function: a hash of its name, graph and lines, and of
  /// the unit if the function is local to it. The same in every unit that
  /// instantiates the same inline function.
  uint64_t identify(const FlowGraph &Graph) const;

  /// Make the record of a function; its contents follow in finish().
  llvm::GlobalVariable *addRecord(const FlowGraph &Graph,
                                  const FunctionData &Data);

  /// Emit the strings and fill in all records. Call once, last.
  void finish();

private:
  uint64_t stringOffset(llvm::StringRef String);
  uint64_t fileOffset(const llvm::DIFile *File, llvm::StringRef CompDir);
  std::string encode(const FlowGraph &Graph);

  struct Record {
    FunctionData Data;
    unsigned NumCounters;
    llvm::GlobalVariable *Graph;
    llvm::GlobalVariable *Global;
  };

  llvm::Module &M;
  llvm::StructType *RecordType;
  std::string UnitId;
  std::string Strings = std::string(1, '\0');
  llvm::StringMap<uint64_t> StringOffsets;
  std::vector<Record> Records;
};

} // namespace arcline

#endif

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Emits the table of block addresses of arcline/abi.h.
#ifndef ARCLINE_ADDRESSES_H
#define ARCLINE_ADDRESSES_H

#include "llvm/ADT/ArrayRef.h"

#include <cstdint>

namespace llvm {
class BasicBlock;
class Function;
class GlobalVariable;
} // namespace llvm

namespace arcline {

/// The node of a source function that begins at the address of a block.
struct BlockEntry {
  llvm::BasicBlock *Block;
  llvm::GlobalVariable *Record; // of the source function
  uint64_t Node;
};

/// Emit a table of F's blocks. An entry becomes 0 when its block is deleted.
llvm::GlobalVariable *emitAddresses(llvm::Function &F,
                                    llvm::ArrayRef<BlockEntry> Entries);

} // namespace arcline

#endif

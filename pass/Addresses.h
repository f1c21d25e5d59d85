// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Encodes the addresses of blocks of arcline/abi.h.
#ifndef ARCLINE_ADDRESSES_H
#define ARCLINE_ADDRESSES_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"

#include <cstdint>

namespace llvm {
class BasicBlock;
class Constant;
class Function;
} // namespace llvm

namespace arcline {

struct SourceFunction;
class UnitSlots;

/// The node of a source function that begins at the address of a block.
struct BlockEntry {
  llvm::BasicBlock *Block;
  const SourceFunction *Source;
  uint64_t Node;
};

/// Append the addresses of F's blocks to a body's data. An entry becomes -1
/// when its block is deleted.
void encodeAddresses(llvm::Function &F, llvm::ArrayRef<BlockEntry> Entries,
                     UnitSlots &Slots,
                     llvm::SmallVectorImpl<llvm::Constant *> &Parts);

} // namespace arcline

#endif

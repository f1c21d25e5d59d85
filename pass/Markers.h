// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Identifies instructions that only mark a place or a value of the source, and
/// instructions of one place.
#ifndef ARCLINE_MARKERS_H
#define ARCLINE_MARKERS_H

#include "Compat.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

#include <cstdint>
#include <utility>

namespace arcline {

/// Is it a call of a counter of clang's own coverage, which becomes code later?
inline bool isCounterOfClang(const llvm::Instruction &I) {
  const auto *Call = llvm::dyn_cast<llvm::IntrinsicInst>(&I);
  return Call &&
         Call->getCalledFunction()->getName().starts_with("llvm.instrprof.");
}

/// Does the instruction mark a place or a value, without a source line of its
/// own and without code once variables are values?
inline bool isMarker(const llvm::Instruction &I) {
  const auto IsInFakeUse = [](const llvm::User *U) {
    return isFakeUse(*llvm::cast<llvm::Instruction>(U));
  };
  return I.isDebugOrPseudoInst() || isCounterOfClang(I) ||
         I.isLifetimeStartOrEnd() || isFakeUse(I) ||
         (llvm::isa<llvm::LoadInst>(I) && !I.use_empty() &&
          llvm::all_of(I.users(), IsInFakeUse));
}

/// Do two instructions have one place in the source? Their locations may
/// differ: clang 21 and later number those at which debuggers stop
/// (-gkey-instructions).
inline bool haveOnePlace(const llvm::Instruction &One,
                         const llvm::Instruction &Other) {
  const llvm::DILocation *A = One.getDebugLoc(), *B = Other.getDebugLoc();
  if (A == B || !A || !B)
    return A == B;
  return A->getLine() == B->getLine() && A->getColumn() == B->getColumn() &&
         A->getScope() == B->getScope() &&
         A->getInlinedAt() == B->getInlinedAt();
}

/// A file, and a line and a column of it in one number. Of two instructions of
/// one such place, one may have the scope of the code that follows.
using DebugPlace = std::pair<const llvm::DIFile *, uint64_t>;

inline DebugPlace placeOf(const llvm::DILocation &Location) {
  return {Location.getFile(),
          uint64_t{Location.getLine()} << 32 | Location.getColumn()};
}

} // namespace arcline

#endif

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Skips passes of LLVM on code for which counters make them slow without
/// bound.
#ifndef ARCLINE_SLOWPASSES_H
#define ARCLINE_SLOWPASSES_H

namespace llvm {
class PassBuilder;
} // namespace llvm

namespace arcline {

/// Skip CorrelatedValuePropagation on functions of which it would take minutes:
/// large loops around a switch whose cases return to its head from many places,
/// as in the matcher of PCRE2. Blocks with counters are not merged, so a
/// variable that most places leave alone has a phi that refers to itself once
/// for each, and LLVM's search for poison visits these to the power of its
/// depth.
void skipSlowPasses(llvm::PassBuilder &Builder);

} // namespace arcline

#endif

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Finds jumps of the source of which clang keeps no code but the end of the
/// scope that they leave, at its closing brace. Pure analysis.
#ifndef ARCLINE_REDUCEDJUMPS_H
#define ARCLINE_REDUCEDJUMPS_H

#include "FlowGraph.h"

namespace arcline {

class CompilerBranches;
class SourceText;
class UnwindCode;

/// The line of the jump that an instruction is left of; line 0 if there is
/// none.
SourceLine lineOfReducedJump(const llvm::Instruction &I, SourceText &Text,
                             const UnwindCode &Unwinding,
                             const CompilerBranches &Made);

} // namespace arcline

#endif

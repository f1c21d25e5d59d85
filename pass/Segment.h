// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Decides whether cells are reached through a segment register. On x86-64 no
/// other code uses GS in user space, so that the runtime can keep a thread's
/// bias there. An increment is then one instruction that needs no register:
///
///   incq %gs:cells+24(%rip)
///
/// A process begins with 0 there, so that code before the runtime counts in the
/// cells themselves; the main thread does so permanently. The runtime sets it
/// when a thread begins. Only executables do this, since a register has one
/// bias, and each object needs its own.
#ifndef ARCLINE_SEGMENT_H
#define ARCLINE_SEGMENT_H

namespace llvm {
class Constant;
class Function;
class IRBuilderBase;
class Instruction;
class Module;
class Type;
class Value;
} // namespace llvm

namespace arcline {

/// Is F code for an executable, on a machine that supports this?
bool mayUseSegment(const llvm::Function &F);

/// The address, relative to GS, of Cells.
llvm::Constant *throughSegment(llvm::Constant *Cells);
/// The address of a cell. Cells: those of the running thread, or a constant
/// from throughSegment().
llvm::Value *addressOfCell(llvm::IRBuilderBase &Builder, llvm::Value *Cells,
                           unsigned Cell);

/// An address in a register, of the given pointer type, computed before Place
/// and nowhere else. The code generator would fold a visible address into the
/// instructions that use it, or hoist it out of loops into a register that the
/// function has to save. Requires mayUseSegment().
llvm::Value *addressInRegister(llvm::Constant *Address, llvm::Type *Pointer,
                               llvm::Instruction *Place);

/// May F be the first counted function of a thread that is not announced to the
/// runtime? Then its address was passed to the code that made the thread. If
/// threads are announced, only the C library itself makes others, for timers
/// for example: it gets neither virtual functions nor tables that are not
/// arguments.
bool mayBeginThread(const llvm::Function &F);

/// Emit a struct arcline_segment, which makes the linker take the start of
/// threads from the runtime. Ready, Threads: symbols of the runtime.
void noteSegment(llvm::Module &M, llvm::Constant *Ready,
                 llvm::Constant *Threads);

} // namespace arcline

#endif

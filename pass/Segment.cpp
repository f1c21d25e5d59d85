// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Segment.h"

#include "ConstantData.h"
#include "Passes.h"

#include "arcline/abi.h"

#include "llvm/IR/Constants.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/CodeGen.h"
#include "llvm/TargetParser/Triple.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

#include <cstddef>

using namespace llvm;

namespace arcline {

// The address spaces that LLVM's X86 target has for segments: 256 GS, 257 FS.
static constexpr unsigned GsAddressSpace = 256;

/// Sanitizers start threads themselves, and check accesses.
static bool isSanitized(const Function &F) {
  for (Attribute::AttrKind Kind :
       {Attribute::SanitizeAddress, Attribute::SanitizeHWAddress,
        Attribute::SanitizeMemory, Attribute::SanitizeThread,
        Attribute::SanitizeMemTag})
    if (F.hasFnAttribute(Kind))
      return true;
  return false;
}

bool mayUseSegment(const Function &F) {
  const Module &M = *F.getParent();
  const Triple Target(M.getTargetTriple());
  // From an address relative to the instruction, 32 bits must reach the cells.
  const bool IsNear =
      M.getCodeModel().value_or(CodeModel::Small) == CodeModel::Small;
  // FastISel has no addresses in segments: without optimisation, each update
  // would take the compiler three times as long, and the program no less time.
  if (F.hasOptNone())
    return false;
  return M.getNamedMetadata(SegmentMetadata) && IsNear &&
         Target.getArch() == Triple::x86_64 && !isShared(M) && !isSanitized(F);
}

Constant *throughSegment(Constant *Cells) {
  return ConstantExpr::getAddrSpaceCast(
      Cells, PointerType::get(Cells->getContext(), GsAddressSpace));
}

// Through the segment not inbounds: for SimplifyCFG of LLVM 19 and earlier, a
// table of constants may have an address that is inbounds. With link-time
// optimisation it makes a table of those that the cases of a switch count at,
// and the code generator ends with an error: it has no initial values in the
// segment's address space.
Value *addressOfCell(IRBuilderBase &Builder, Value *Cells, unsigned Cell) {
  Type *I64 = Builder.getInt64Ty();
  return isa<Constant>(Cells)
             ? Builder.CreateConstGEP1_64(I64, Cells, Cell)
             : Builder.CreateConstInBoundsGEP1_64(I64, Cells, Cell);
}

Value *addressInRegister(Constant *Address, Type *Pointer, Instruction *Place) {
  FunctionType *Signature =
      FunctionType::get(Pointer, {Address->getType()}, false);
  InlineAsm *Lea = InlineAsm::get(Signature, "leaq ${1:P}(%rip), $0", "=r,i",
                                  /*hasSideEffects=*/true);
  CallInst *Result = IRBuilder<>(Place).CreateCall(Lea, {Address});
  Result->setDoesNotThrow();
  return Result;
}

/// The initial value of a local variable is an argument of memcpy().
static bool isArgumentOfOthers(const GlobalVariable &Table) {
  for (const Use &U : Table.uses()) {
    const auto *Call = dyn_cast<CallBase>(U.getUser());
    if (!Call || !Call->isArgOperand(&U))
      continue;
    const Function *Callee = Call->getCalledFunction();
    if (!Callee || Callee->isDeclaration())
      return true;
  }
  return false;
}

/// Is the table visible to other code?
static bool isHandedOut(const GlobalVariable &Table) {
  if (Table.getName().starts_with("llvm.") ||
      Table.getSection().starts_with("__arcline_"))
    return false;
  if (!Table.getParent()->getNamedMetadata(AnnouncedMetadata))
    return true;
  const bool IsVirtual = Table.getName().starts_with("_ZTV") ||
                         Table.getName().starts_with("_ZTC");
  return !IsVirtual && isArgumentOfOthers(Table);
}

/// Does the address escape, perhaps within other constants?
static bool isHandedOut(const Constant &Address) {
  for (const Use &U : Address.uses()) {
    const User *Holder = U.getUser();
    if (const auto *Call = dyn_cast<CallBase>(Holder)) {
      const Function *Callee = Call->getCalledFunction();
      if (!Call->isCallee(&U) &&
          (!Callee || Callee->getName() != IndirectMarker))
        return true;
    } else if (isa<ICmpInst>(Holder)) {
      continue;
    } else if (isa<Instruction>(Holder)) {
      return true;
    } else if (const auto *Table = dyn_cast<GlobalVariable>(Holder)) {
      if (isHandedOut(*Table))
        return true;
    } else if (isa<GlobalAlias>(Holder) || isa<ConstantExpr>(Holder) ||
               isa<ConstantAggregate>(Holder)) {
      if (isHandedOut(*cast<Constant>(Holder)))
        return true;
    }
  }
  return false;
}

bool mayBeginThread(const Function &F) {
  return isHandedOut(static_cast<const Constant &>(F));
}

void noteSegment(Module &M, Constant *Ready, Constant *Threads) {
  Type *I32 = Type::getInt32Ty(M.getContext());
  StructType *NoteType = StructType::get(I32, I32);
  auto *Note =
      new GlobalVariable(M, NoteType, true, GlobalValue::PrivateLinkage,
                         nullptr, "__arcline_segment_note");
  Note->setInitializer(ConstantStruct::get(
      NoteType, {relative(Ready, Note, offsetof(arcline_segment, object)),
                 relative(Threads, Note, offsetof(arcline_segment, threads))}));
  Note->setSection(ARCLINE_SECTION_SEGMENTS);
  Note->setAlignment(Align(4));
  // For linkers, too: nothing refers to it, but it must not be dropped.
  appendToUsed(M, {Note});
}

} // namespace arcline

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// In each function that still counts or is called:
//
//   entry:   call @__arcline_mcount(returnaddress(0), @f)
//            if (!@__arcline_ready) goto slow       thread-local storage may
//            %b = load @__arcline_bias (TLS)        not exist yet
//            if (%b == 0) goto slow
//   body:    %b = phi [ fast ], [ slow: call @__arcline_bias_slow() ]
//            %c = @counters + %b                    once per array
//            ... load/store %c+8*k ...
//
// Addresses of blocks come from !pcsections metadata on memory accesses next to
// the probes that CountPass left: the code generator lists the address of the
// instruction, and nothing else changes.

#include "Compat.h"
#include "Passes.h"

#include "arcline/abi.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;

namespace arcline {

namespace {

class Placer {
public:
  explicit Placer(Module &M)
      : M(M), I8(Type::getInt8Ty(M.getContext())),
        I32(Type::getInt32Ty(M.getContext())),
        I64(Type::getInt64Ty(M.getContext())),
        Ptr(PointerType::getUnqual(M.getContext())) {}

  bool run();

private:
  void readRecords();
  void placeAddresses();
  void markAddress(Instruction &I, const PseudoProbeInst &Probe);
  void redirectCounters();
  void redirectIn(Function &F, ArrayRef<GlobalVariable *> Arrays);
  void insertMcount(Function &F);
  Value *insertBias(Function &F);
  GlobalVariable *runtimeVariable(StringRef Name, Type *Type, bool ThreadLocal);
  FunctionCallee runtimeFunction(StringRef Name, FunctionType *Type);

  Module &M;
  Type *I8, *I32, *I64, *Ptr;
  DenseMap<uint64_t, const Function *> Records; // null: the body is gone
};

} // namespace

void Placer::readRecords() {
  NamedMDNode *Metadata = M.getNamedMetadata(RecordsMetadata);
  if (!Metadata)
    return;
  for (const MDNode *Record : Metadata->operands()) {
    uint64_t Id =
        mdconst::extract<ConstantInt>(Record->getOperand(0))->getZExtValue();
    const auto *Body =
        dyn_cast_or_null<ValueAsMetadata>(Record->getOperand(1).get());
    Records[Id] = Body ? dyn_cast<Function>(Body->getValue()) : nullptr;
  }
  Metadata->eraseFromParent(); // served: a second run finds nothing to do
}

void Placer::markAddress(Instruction &I, const PseudoProbeInst &Probe) {
  LLVMContext &Context = M.getContext();
  uint64_t Id = Probe.getFuncGuid()->getZExtValue();
  Constant *Entry[] = {ConstantInt::get(I32, ARCLINE_ADDR_MARK),
                       ConstantInt::get(I64, Id),
                       ConstantInt::get(I32, Probe.getIndex()->getZExtValue())};
  SmallVector<Metadata *, 3> Operands;
  for (Constant *C : Entry)
    Operands.push_back(ConstantAsMetadata::get(C));
  I.setMetadata(
      LLVMContext::MD_pcsections,
      MDNode::get(Context, {MDString::get(Context, ARCLINE_SECTION_ADDRS),
                            MDNode::get(Context, Operands)}));
}

void Placer::placeAddresses() {
  for (Function &F : M) {
    SmallVector<PseudoProbeInst *, 0> Ours;
    DenseSet<std::pair<uint64_t, uint64_t>> Placed;
    for (BasicBlock &Block : F) {
      PseudoProbeInst *Open = nullptr; // still without an address
      for (Instruction &I : Block) {
        if (auto *Probe = dyn_cast<PseudoProbeInst>(&I)) {
          auto Found = Records.find(Probe->getFuncGuid()->getZExtValue());
          if (Found == Records.end())
            continue;
          Ours.push_back(Probe);
          // An inlined copy stands for the whole function's count only if
          // there is no body that could.
          bool IsCopy = Found->second != &F && Found->second &&
                        !Found->second->isDeclaration();
          bool IsNew =
              Placed.insert({Found->first, Probe->getIndex()->getZExtValue()})
                  .second;
          Open = IsNew && !IsCopy ? Probe : nullptr;
        } else if (Open && (isa<LoadInst>(I) || isa<StoreInst>(I)) &&
                   !I.hasMetadata(LLVMContext::MD_pcsections)) {
          markAddress(I, *Open);
          Open = nullptr;
        }
      }
    }
    for (PseudoProbeInst *Probe : Ours)
      Probe->eraseFromParent();
  }
}

GlobalVariable *Placer::runtimeVariable(StringRef Name, Type *Type,
                                        bool ThreadLocal) {
  if (GlobalVariable *Existing = M.getNamedGlobal(Name))
    return Existing;
  auto *Variable = new GlobalVariable(
      M, Type, false, GlobalValue::ExternalLinkage, nullptr, Name, nullptr,
      ThreadLocal ? GlobalValue::InitialExecTLSModel
                  : GlobalValue::NotThreadLocal);
  Variable->setVisibility(GlobalValue::HiddenVisibility);
  Variable->setDSOLocal(true);
  return Variable;
}

FunctionCallee Placer::runtimeFunction(StringRef Name, FunctionType *Type) {
  FunctionCallee Callee = M.getOrInsertFunction(Name, Type);
  if (auto *F = dyn_cast<Function>(Callee.getCallee())) {
    F->setVisibility(GlobalValue::HiddenVisibility);
    F->setDSOLocal(true);
    F->setDoesNotThrow();
  }
  return Callee;
}

/// The place behind the static allocas, which must stay in the entry block.
static Instruction *behindAllocas(Function &F) {
  BasicBlock::iterator I = F.getEntryBlock().begin();
  while (isa<AllocaInst>(*I) || I->isDebugOrPseudoInst())
    ++I;
  for (auto J = I; J != F.getEntryBlock().end(); ++J)
    if (const auto *Intrinsic = dyn_cast<IntrinsicInst>(&*J))
      if (Intrinsic->getIntrinsicID() == Intrinsic::localescape)
        return J->getNextNode();
  return &*I;
}

/// Calls in a function with debug information must have a location.
static DebugLoc entryLocation(const Function &F) {
  if (DISubprogram *Program = F.getSubprogram())
    return DILocation::get(F.getContext(), Program->getScopeLine(), 0, Program);
  return DebugLoc();
}

void Placer::insertMcount(Function &F) {
  IRBuilder<> Builder(behindAllocas(F));
  Builder.SetCurrentDebugLocation(entryLocation(F));
  Value *ReturnPc = Builder.CreateIntrinsic(Intrinsic::returnaddress, {},
                                            {Builder.getInt32(0)});
  FunctionCallee Mcount = runtimeFunction(
      ARCLINE_SYM_MCOUNT,
      FunctionType::get(Type::getVoidTy(M.getContext()), {Ptr, Ptr}, false));
  // An alias of our own, since the symbol itself may be preempted.
  Constant *Self = &F;
  if (!F.isDSOLocal())
    Self = GlobalAlias::create(GlobalValue::PrivateLinkage,
                               F.getName() + ".arcline", &F);
  Builder.CreateCall(Mcount, {ReturnPc, Self});
}

Value *Placer::insertBias(Function &F) {
  Instruction *Body = behindAllocas(F);
  MDNode *Unlikely = MDBuilder(M.getContext()).createBranchWeights(1, 100000);

  IRBuilder<> Builder(Body);
  Builder.SetCurrentDebugLocation(DebugLoc());
  Value *Ready =
      Builder.CreateLoad(I8, runtimeVariable(ARCLINE_SYM_READY, I8, false));
  BasicBlock *Entry = Body->getParent();
  BasicBlock *Rest = Entry->splitBasicBlock(Body->getIterator());
  BasicBlock *Fast =
      BasicBlock::Create(M.getContext(), "arcline.fast", &F, Rest);
  BasicBlock *Slow = BasicBlock::Create(M.getContext(), "arcline.slow", &F);

  Builder.SetInsertPoint(Entry->getTerminator());
  Builder.SetCurrentDebugLocation(DebugLoc());
  Builder.CreateCondBr(Builder.CreateICmpEQ(Ready, Builder.getInt8(0)), Slow,
                       Fast, Unlikely);
  Entry->getTerminator()->eraseFromParent();

  Builder.SetInsertPoint(Fast);
  Value *Bias =
      Builder.CreateLoad(I64, Builder.CreateThreadLocalAddress(runtimeVariable(
                                  ARCLINE_SYM_BIAS, I64, true)));
  Builder.CreateCondBr(Builder.CreateICmpEQ(Bias, Builder.getInt64(0)), Slow,
                       Rest, Unlikely);

  Builder.SetInsertPoint(Slow);
  Builder.SetCurrentDebugLocation(entryLocation(F));
  FunctionCallee SlowBias =
      runtimeFunction(ARCLINE_SYM_BIAS_SLOW, FunctionType::get(I64, false));
  CallInst *Call = Builder.CreateCall(SlowBias);
  Call->addFnAttr(Attribute::Cold);
  Builder.CreateBr(Rest);

  Builder.SetInsertPoint(&Rest->front());
  Builder.SetCurrentDebugLocation(DebugLoc());
  PHINode *Result = Builder.CreatePHI(I64, 2, "arcline.bias");
  Result->addIncoming(Bias, Fast);
  Result->addIncoming(Call, Slow);
  return Result;
}

void Placer::redirectIn(Function &F, ArrayRef<GlobalVariable *> Arrays) {
  auto *Bias = cast<PHINode>(insertBias(F));
  IRBuilder<> Builder(&*Bias->getParent()->getFirstInsertionPt());
  Builder.SetCurrentDebugLocation(DebugLoc());
  for (GlobalVariable *Array : Arrays) {
    auto *Copy = cast<Instruction>(
        Builder.CreateGEP(I8, Array, Bias, "arcline.counters"));
    Array->replaceUsesWithIf(Copy, [&](const Use &U) {
      auto *User = dyn_cast<Instruction>(U.getUser());
      return User && User != Copy && User->getFunction() == &F;
    });
  }
}

void Placer::redirectCounters() {
  SmallVector<Constant *, 8> Arrays;
  for (GlobalVariable &Variable : M.globals())
    if (Variable.getSection() == ARCLINE_SECTION_COUNTERS)
      Arrays.push_back(&Variable);
  if (Arrays.empty())
    return;
  convertUsersToInstructions(Arrays);
  MapVector<Function *, SmallVector<GlobalVariable *, 2>> Counting;
  for (Constant *Array : Arrays) {
    SmallSetVector<Function *, 8> Users;
    for (const User *U : Array->users())
      if (const auto *I = dyn_cast<Instruction>(U))
        Users.insert(const_cast<Function *>(I->getFunction()));
    for (Function *F : Users)
      Counting[F].push_back(cast<GlobalVariable>(Array));
  }
  for (auto &[F, Used] : Counting)
    redirectIn(*F, Used);
}

/// Coroutines are counted where they start; that they are resumed is no call.
static bool isResumePart(const Function &F, StringRef Original) {
  StringRef Suffix = F.getName();
  return Suffix.consume_front(Original) &&
         (Suffix.starts_with(".resume") || Suffix.starts_with(".destroy") ||
          Suffix.starts_with(".cleanup"));
}

bool Placer::run() {
  readRecords();
  bool Changed = !Records.empty();
  if (Changed) {
    placeAddresses();
    redirectCounters();
  }
  for (Function &F : M) {
    Attribute Eligible = F.getFnAttribute(EligibleAttribute);
    if (F.isDeclaration() || !Eligible.isValid())
      continue;
    F.removeFnAttr(EligibleAttribute);
    Changed = true;
    if (!F.hasAvailableExternallyLinkage() &&
        !isResumePart(F, Eligible.getValueAsString()))
      insertMcount(F);
  }
  return Changed;
}

PreservedAnalyses PlacePass::run(Module &M, ModuleAnalysisManager &) {
  return Placer(M).run() ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

} // namespace arcline

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
// Blocks get addresses through the probes that CountPass left in them: the
// node whose probe comes first in a block is what begins there.

#include "Compat.h"
#include "Passes.h"

#include "arcline/abi.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DepthFirstIterator.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

using namespace llvm;

namespace arcline {

namespace {

struct AddressEntry {
  BasicBlock *Block;
  GlobalVariable *Data;
  uint64_t Node;
};

using UsesByArray = MapVector<Constant *, SmallVector<Use *, 8>>;

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
  void splitAtProbes(Function &F);
  void placeAddresses(Function &F, bool IsPreLink);
  void emitAddresses(Function &F, ArrayRef<AddressEntry> Entries);
  Constant *localAlias(Function &F);
  void redirectCounters();
  void redirectIn(Function &F, const UsesByArray &Uses);
  void insertMcount(Function &F);
  Value *insertBias(Function &F);
  GlobalVariable *runtimeVariable(StringRef Name, Type *Type, bool ThreadLocal);
  FunctionCallee runtimeFunction(StringRef Name, FunctionType *Type);

  Module &M;
  Type *I8, *I32, *I64, *Ptr;
  struct Record {
    const Function *Body; // null if it is gone
    GlobalVariable *Data; // struct arcline_func
  };
  DenseMap<uint64_t, Record> Records;
  DenseMap<const Function *, GlobalAlias *> Aliases;
  SmallVector<GlobalValue *, 0> AddressTables;
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
    auto *Data = mdconst::extract<GlobalVariable>(Record->getOperand(2));
    Records[Id] = {Body ? dyn_cast<Function>(Body->getValue()) : nullptr, Data};
  }
  Metadata->eraseFromParent(); // served: a second run finds nothing to do
}

/// In code that is not optimised anyway, give every node a block of its own.
void Placer::splitAtProbes(Function &F) {
  SmallVector<PseudoProbeInst *, 0> Inner;
  for (BasicBlock &Block : F)
    for (Instruction &I : Block)
      if (auto *Probe = dyn_cast<PseudoProbeInst>(&I))
        if (Probe != &*Block.getFirstInsertionPt() &&
            Records.count(Probe->getFuncGuid()->getZExtValue()))
          Inner.push_back(Probe);
  // From the end: splitting visits all instructions that move.
  for (PseudoProbeInst *Probe : reverse(Inner))
    Probe->getParent()->splitBasicBlock(Probe->getIterator());
}

/// Is there code in the block that a sample or a reader could meet?
static bool hasCode(const BasicBlock &Block) {
  for (const Instruction &I : Block)
    if (!isa<PHINode>(I) && !I.isDebugOrPseudoInst())
      return !isa<UnreachableInst>(I) &&
             (!I.isTerminator() || I.getNumSuccessors() == 0);
  return false;
}

/// List the addresses of F's blocks, each with the node that begins first in
/// it. A blockaddress that outlives its block becomes 1, which is why the table
/// holds absolute addresses: a difference could not be encoded then. Before
/// link-time optimisation there is no list: it would keep functions from being
/// inlined, and tables of groups that lose at link time would dangle.
void Placer::placeAddresses(Function &F, bool IsPreLink) {
  if (F.hasOptNone())
    splitAtProbes(F);
  SmallVector<PseudoProbeInst *, 0> Ours;
  SmallVector<AddressEntry, 0> Entries;
  DenseSet<std::pair<uint64_t, uint64_t>> Placed;
  df_iterator_default_set<BasicBlock *> Reachable;
  for (BasicBlock *Block : depth_first_ext(&F, Reachable))
    (void)Block;
  for (BasicBlock &Block : F) {
    bool IsFirst = true;
    for (Instruction &I : Block) {
      auto *Probe = dyn_cast<PseudoProbeInst>(&I);
      if (!Probe)
        continue;
      auto Found = Records.find(Probe->getFuncGuid()->getZExtValue());
      if (Found == Records.end())
        continue;
      Ours.push_back(Probe);
      // An inlined copy stands for the whole function's count only if there is
      // no body that could.
      const auto &[Id, Record] = *Found;
      const Function *Body = Record.Body;
      bool IsCopy = Body != &F && Body && !Body->isDeclaration();
      uint64_t Node = Probe->getIndex()->getZExtValue();
      if (IsFirst && !IsCopy && Reachable.contains(&Block) &&
          (F.hasOptNone() || hasCode(Block)) &&
          Placed.insert({Id, Node}).second)
        Entries.push_back({&Block, Record.Data, Node});
      IsFirst = false;
    }
  }
  for (PseudoProbeInst *Probe : Ours)
    Probe->eraseFromParent();
  if (!Entries.empty() && !IsPreLink)
    emitAddresses(F, Entries);
}

void Placer::emitAddresses(Function &F, ArrayRef<AddressEntry> Entries) {
  StructType *EntryType = StructType::get(M.getContext(), {Ptr, I32, I32});
  ArrayType *TableType = ArrayType::get(EntryType, Entries.size());
  auto *Table =
      new GlobalVariable(M, TableType, true, GlobalValue::PrivateLinkage,
                         nullptr, "__arcline_addresses");
  SmallVector<Constant *, 0> Values;
  for (const AddressEntry &Entry : Entries) {
    // The entry block is nobody's target, so it has no blockaddress.
    Constant *Address = Entry.Block->isEntryBlock()
                            ? localAlias(F)
                            : BlockAddress::get(&F, Entry.Block);
    Constant *Field = ConstantExpr::getInBoundsGetElementPtr(
        TableType, Table,
        ArrayRef<Constant *>{ConstantInt::get(I32, 0),
                             ConstantInt::get(I32, Values.size()),
                             ConstantInt::get(I32, 1)});
    Constant *Distance =
        ConstantExpr::getSub(ConstantExpr::getPtrToInt(Entry.Data, I64),
                             ConstantExpr::getPtrToInt(Field, I64));
    Values.push_back(ConstantStruct::get(
        EntryType, {Address, ConstantExpr::getTrunc(Distance, I32),
                    ConstantInt::get(I32, Entry.Node)}));
  }
  Table->setInitializer(ConstantArray::get(TableType, Values));
  Table->setSection(ARCLINE_SECTION_ADDRS);
  Table->setAlignment(Align(8));
  // Lives and dies with the code: in its group, and in link order with it.
  Table->setComdat(F.getComdat());
  Table->setMetadata(LLVMContext::MD_associated,
                     MDNode::get(M.getContext(), ValueAsMetadata::get(&F)));
  AddressTables.push_back(Table);
}

/// An address of F that no other object can preempt.
Constant *Placer::localAlias(Function &F) {
  if (F.isDSOLocal())
    return &F;
  GlobalAlias *&Alias = Aliases[&F];
  if (!Alias)
    Alias = GlobalAlias::create(GlobalValue::PrivateLinkage,
                                F.getName() + ".arcline", &F);
  return Alias;
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
  while (isa<AllocaInst>(*I) || isa<DbgInfoIntrinsic>(*I))
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
  Builder.CreateCall(Mcount, {ReturnPc, localAlias(F)});
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

/// Replace F's uses of Value, which is about to be kept across blocks, by loads
/// from a stack slot. In unoptimised code the register allocator would reload
/// it first thing in each block, on no line, and so move the block's address
/// off its line.
static void keepInSlot(Function &F, Instruction &Value) {
  IRBuilder<> Entry(&F.getEntryBlock().front());
  AllocaInst *Slot = Entry.CreateAlloca(Value.getType());
  SmallVector<Use *, 0> Uses;
  for (Use &U : Value.uses())
    Uses.push_back(&U);
  for (Use *U : Uses) {
    IRBuilder<> Builder(cast<Instruction>(U->getUser()));
    U->set(Builder.CreateLoad(Value.getType(), Slot));
  }
  IRBuilder<> Builder(Value.getNextNode());
  Builder.SetCurrentDebugLocation(DebugLoc());
  Builder.CreateStore(&Value, Slot);
}

void Placer::redirectIn(Function &F, const UsesByArray &Uses) {
  auto *Bias = cast<PHINode>(insertBias(F));
  IRBuilder<> Builder(&*Bias->getParent()->getFirstInsertionPt());
  Builder.SetCurrentDebugLocation(DebugLoc());
  for (const auto &[Array, UsesOfArray] : Uses) {
    auto *Copy = cast<Instruction>(
        Builder.CreateGEP(I8, Array, Bias, "arcline.counters"));
    for (Use *U : UsesOfArray)
      U->set(Copy);
    if (F.hasOptNone())
      keepInSlot(F, *Copy);
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
  // Sorted once: a unit's array has uses in all of its functions.
  MapVector<Function *, UsesByArray> Counting;
  for (Constant *Array : Arrays)
    for (Use &U : Array->uses())
      if (auto *I = dyn_cast<Instruction>(U.getUser()))
        Counting[I->getFunction()][Array].push_back(&U);
  for (auto &[F, Uses] : Counting)
    redirectIn(*F, Uses);
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
    // First the code that redirecting adds, so that a function's first block
    // is one that can have an address.
    redirectCounters();
    const bool IsPreLink = M.getModuleFlag("EnableSplitLTOUnit") != nullptr;
    for (Function &F : M)
      if (!F.isDeclaration())
        placeAddresses(F, IsPreLink);
    appendToCompilerUsed(M, AddressTables);
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

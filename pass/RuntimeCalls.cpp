// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "RuntimeCalls.h"

#include "Counters.h"
#include "Passes.h"
#include "Segment.h"
#include "arcline/abi.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/GlobalAlias.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/TargetParser/Triple.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

#include <cstddef>

using namespace llvm;

namespace arcline {

// The address spaces that LLVM's X86 target has for segments: 256 GS, 257 FS.
static constexpr unsigned FsAddressSpace = 257;

Constant *localAddress(Function &F) {
  // Code for an executable may still be linked into a library, if nothing in it
  // prevents that; a distance to an exported function would.
  const bool IsLocal = F.hasLocalLinkage() || !F.hasDefaultVisibility() ||
                       F.getParent()->getPICLevel() == PICLevel::NotPIC;
  if (F.isDSOLocal() && IsLocal)
    return &F;
  const std::string Name = (F.getName() + ".arcline").str();
  if (GlobalAlias *Existing = F.getParent()->getNamedAlias(Name))
    return Existing;
  return GlobalAlias::create(GlobalValue::PrivateLinkage, Name, &F);
}

static GlobalVariable *runtimeVariable(Module &M, StringRef Name, Type *Type,
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

static FunctionCallee runtimeFunction(Module &M, StringRef Name,
                                      FunctionType *Type) {
  FunctionCallee Callee = M.getOrInsertFunction(Name, Type);
  if (auto *F = dyn_cast<Function>(Callee.getCallee())) {
    F->setVisibility(GlobalValue::HiddenVisibility);
    F->setDSOLocal(true);
    F->setDoesNotThrow();
  }
  return Callee;
}

/// Call a function of the runtime that is rarely called and preserves most
/// registers.
static CallInst *callRuntime(IRBuilder<> &Builder, StringRef Name, Type *Result,
                             ArrayRef<Value *> Arguments) {
  SmallVector<Type *, 2> Types;
  for (const Value *Argument : Arguments)
    Types.push_back(Argument->getType());
  CallInst *Call = Builder.CreateCall(
      runtimeFunction(*Builder.GetInsertBlock()->getModule(), Name,
                      FunctionType::get(Result, Types, false)),
      Arguments);
  // The caller keeps its arguments in their registers. Not at -O0: X86's fast
  // instruction selection supports few calling conventions, and there values
  // are in memory from block to block.
  const Triple Target(Call->getModule()->getTargetTriple());
  if (Target.getArch() == Triple::x86_64 || Target.isAArch64()) {
    Call->getCalledFunction()->setCallingConv(CallingConv::PreserveMost);
    if (!Call->getFunction()->hasOptNone())
      Call->setCallingConv(CallingConv::PreserveMost);
  }
  Call->addFnAttr(Attribute::Cold);
  return Call;
}

Instruction *afterAllocas(Function &F) {
  BasicBlock::iterator I = F.getEntryBlock().begin();
  while (isa<AllocaInst>(*I) || isa<DbgInfoIntrinsic>(*I))
    ++I;
  for (auto J = I; J != F.getEntryBlock().end(); ++J)
    if (const auto *Intrinsic = dyn_cast<IntrinsicInst>(&*J))
      if (Intrinsic->getIntrinsicID() == Intrinsic::localescape)
        return J->getNextNode();
  return &*I;
}

DebugLoc entryLocation(const Function &F) {
  if (DISubprogram *Program = F.getSubprogram())
    return DILocation::get(F.getContext(), Program->getScopeLine(), 0, Program);
  return DebugLoc();
}

void insertMcount(Function &F) {
  IRBuilder<> Builder(afterAllocas(F));
  Builder.SetCurrentDebugLocation(entryLocation(F));
  Type *Ptr = Builder.getPtrTy();
  Value *ReturnPc = Builder.CreateIntrinsic(Ptr, Intrinsic::returnaddress,
                                            {Builder.getInt32(0)});
  FunctionCallee Mcount = runtimeFunction(
      *F.getParent(), ARCLINE_SYM_MCOUNT,
      FunctionType::get(Builder.getVoidTy(), {Ptr, Ptr}, false));
  Builder.CreateCall(Mcount, {ReturnPc, localAddress(F)});
}

/// The address at a distance from the thread pointer.
static Value *atThreadPointer(IRBuilder<> &Builder, Value *Distance) {
  const Module &M = *Builder.GetInsertBlock()->getModule();
  // LLVM's X86 target uses FS with this address space. Otherwise it would load
  // the pointer first if libc is not glibc.
  if (Triple(M.getTargetTriple()).getArch() == Triple::x86_64)
    return Builder.CreateIntToPtr(
        Distance, PointerType::get(Builder.getContext(), FsAddressSpace));
  SmallVector<Type *, 1> Types;
  if (Intrinsic::isOverloaded(Intrinsic::thread_pointer))
    Types.push_back(Builder.getPtrTy());
  return Builder.CreateGEP(
      Builder.getInt8Ty(),
      Builder.CreateIntrinsic(Intrinsic::thread_pointer, Types, {}), Distance);
}

/// A value that must not be 0 for the bias to be at biasAddress(), or null if
/// no check is needed.
static Value *biasCondition(IRBuilder<> &Builder, BiasState State) {
  Module &M = *Builder.GetInsertBlock()->getModule();
  if (isShared(M))
    return hideFromSanitizers(Builder.CreateLoad(
        Builder.getInt64Ty(),
        runtimeVariable(M, ARCLINE_SYM_SLOT, Builder.getInt64Ty(), false)));
  return State == BiasState::Unready
             ? hideFromSanitizers(Builder.CreateLoad(
                   Builder.getInt8Ty(), runtimeSymbol(M, ARCLINE_SYM_READY)))
             : nullptr;
}

static Value *biasAddress(IRBuilder<> &Builder, Value *Condition) {
  Module &M = *Builder.GetInsertBlock()->getModule();
  return isShared(M) ? atThreadPointer(Builder, Condition)
                     : Builder.CreateThreadLocalAddress(runtimeVariable(
                           M, ARCLINE_SYM_BIAS, Builder.getInt64Ty(), true));
}

static Instruction *loadBias(IRBuilder<> &Builder, Value *Condition,
                             StringRef Name = "") {
  return hideFromSanitizers(Builder.CreateLoad(
      Builder.getInt64Ty(), biasAddress(Builder, Condition), Name));
}

Instruction *insertBias(Function &F, BiasState State) {
  Module &M = *F.getParent();
  Type *I64 = Type::getInt64Ty(M.getContext());
  Instruction *Body = afterAllocas(F);
  IRBuilder<> Builder(Body);
  Builder.SetCurrentDebugLocation(DebugLoc());
  if (State == BiasState::Set && !isShared(M))
    return loadBias(Builder, nullptr, "arcline.bias");

  // Entry: (condition?) -> Fast: (bias?) -> Rest, or else -> Slow -> Rest
  MDNode *Unlikely = MDBuilder(M.getContext()).createBranchWeights(1, 100000);
  BasicBlock *Entry = Body->getParent();
  BasicBlock *Rest = Entry->splitBasicBlock(Body->getIterator());
  BasicBlock *Slow = BasicBlock::Create(M.getContext(), "arcline.slow", &F);
  BasicBlock *Fast = Entry;
  Entry->getTerminator()->eraseFromParent();
  Builder.SetInsertPoint(Entry);
  Value *Condition = biasCondition(Builder, State);
  if (Condition) {
    Fast = BasicBlock::Create(M.getContext(), "arcline.fast", &F, Rest);
    Builder.CreateCondBr(Builder.CreateIsNull(Condition), Slow, Fast, Unlikely);
    Builder.SetInsertPoint(Fast);
  }
  Value *Bias = loadBias(Builder, Condition);
  if (State == BiasState::Set)
    Builder.CreateBr(Rest);
  else
    Builder.CreateCondBr(Builder.CreateIsNull(Bias), Slow, Rest, Unlikely);

  Builder.SetInsertPoint(Slow);
  Builder.SetCurrentDebugLocation(entryLocation(F));
  CallInst *Call = callRuntime(Builder, ARCLINE_SYM_BIAS_SLOW, I64, {});
  Builder.CreateBr(Rest);

  Builder.SetInsertPoint(&Rest->front());
  Builder.SetCurrentDebugLocation(DebugLoc());
  PHINode *Result = Builder.CreatePHI(I64, 2, "arcline.bias");
  Result->addIncoming(Bias, Fast);
  Result->addIncoming(Call, Slow);
  return Result;
}

GlobalVariable *runtimeSymbol(Module &M, StringRef Name) {
  return runtimeVariable(M, Name, Type::getInt8Ty(M.getContext()), false);
}

void insertThreadTest(Function &F) {
  Module &M = *F.getParent();
  IRBuilder<> Builder(afterAllocas(F));
  Builder.SetCurrentDebugLocation(DebugLoc());
  Type *I8 = Builder.getInt8Ty();
  GlobalVariable *GsSet = runtimeVariable(M, ARCLINE_SYM_GS_SET, I8, true);
  // Otherwise the object could not be linked into a library, a case that the
  // runtime detects and reports.
  GsSet->setVisibility(GlobalValue::DefaultVisibility);
  GsSet->setDSOLocal(false);
  Value *IsSet = hideFromSanitizers(
      Builder.CreateLoad(I8, Builder.CreateThreadLocalAddress(GsSet)));
  Instruction *Slow = SplitBlockAndInsertIfThen(
      Builder.CreateICmpEQ(IsSet, Builder.getInt8(0)),
      &*Builder.GetInsertPoint(), false,
      MDBuilder(M.getContext()).createBranchWeights(1, 100000));
  Builder.SetInsertPoint(Slow);
  Builder.SetCurrentDebugLocation(entryLocation(F));
  callRuntime(Builder, ARCLINE_SYM_ATTACH_THREAD, Builder.getVoidTy(), {});
}

bool isCalledBeforeTls(const Function &F) {
  static constexpr StringLiteral Names[] = {
      "memcpy",  "memmove", "mempcpy",   "memset", "memcmp", "memchr",
      "memrchr", "bcopy",   "rawmemchr", "bzero",  "strlen", "strnlen",
      "strcmp",  "strncmp", "strchr",    "strcpy", "stpcpy", "strrchr",
      "brk",     "sbrk",    "strchrnul", "__brk",  "__sbrk"};

  return !F.hasLocalLinkage() && is_contained(Names, F.getName());
}

BiasState stateAtEntry(const Function &F) {
  // An executable's thread-local storage exists before other code of it runs,
  // except resolvers of ifuncs, for which insertResolverCall() provides it. In
  // shared objects a resolver may run before all other code.
  return isShared(*F.getParent()) || isCalledBeforeTls(F) ? BiasState::Unready
                                                          : BiasState::Unset;
}

void insertResolverCall(Function &Resolver) {
  IRBuilder<> Builder(afterAllocas(Resolver));
  Builder.SetCurrentDebugLocation(entryLocation(Resolver));
  FunctionCallee Callee =
      runtimeFunction(*Resolver.getParent(), ARCLINE_SYM_RESOLVER,
                      FunctionType::get(Builder.getVoidTy(), false));
  Builder.CreateCall(Callee);
}

namespace {

struct ExecFunction {
  StringLiteral Name;
  arcline_exec File;   // the kind of its first argument
  bool HasEnvironment; // its last one is the environment
};

} // namespace

static const ExecFunction *findExec(StringRef Name) {
  static constexpr ExecFunction All[] = {
      {"execve", ARCLINE_EXEC_PATH, true},
      {"execv", ARCLINE_EXEC_PATH, false},
      {"execl", ARCLINE_EXEC_PATH, false},
      {"execle", ARCLINE_EXEC_PATH, true},
      {"execvp", ARCLINE_EXEC_SEARCHED, false},
      {"execlp", ARCLINE_EXEC_SEARCHED, false},
      {"execvpe", ARCLINE_EXEC_SEARCHED, true},
      {"fexecve", ARCLINE_EXEC_OPEN, true},
      {"execveat", ARCLINE_EXEC_UNKNOWN, false},
      // It forks, and the parent ends there.
      {"daemon", ARCLINE_EXEC_UNKNOWN, false}};

  const auto *Found =
      find_if(All, [&](const ExecFunction &One) { return One.Name == Name; });
  return Found == std::end(All) ? nullptr : Found;
}

static const ExecFunction *asExec(const CallBase &Call) {
  const Function *Callee = Call.getCalledFunction();
  return Callee && Callee->isDeclaration() && !Call.arg_empty()
             ? findExec(Callee->getName())
             : nullptr;
}

void insertExecCalls(Function &F) {
  SmallVector<std::pair<CallBase *, const ExecFunction *>, 2> Calls;
  for (Instruction &I : instructions(F))
    if (auto *Call = dyn_cast<CallBase>(&I))
      if (const ExecFunction *Exec = asExec(*Call))
        Calls.push_back({Call, Exec});
  for (auto [Call, Exec] : Calls) {
    IRBuilder<> Builder(Call);
    Type *Pointer = Builder.getPtrTy();
    Value *File = Call->getArgOperand(0);
    unsigned How = Exec->File;
    if (How == ARCLINE_EXEC_OPEN && File->getType()->isIntegerTy())
      File = Builder.CreateIntToPtr(File, Pointer);
    if (How == ARCLINE_EXEC_UNKNOWN || !File->getType()->isPointerTy()) {
      How = ARCLINE_EXEC_UNKNOWN;
      File = Constant::getNullValue(Pointer);
    }
    // The environment comes last.
    Value *Environment = Call->getArgOperand(Call->arg_size() - 1);
    if (Exec->HasEnvironment && Environment->getType()->isPointerTy())
      How |= ARCLINE_EXEC_IN_GIVEN;
    else
      Environment = Constant::getNullValue(Pointer);
    callRuntime(Builder, ARCLINE_SYM_BEFORE_EXEC, Builder.getVoidTy(),
                {Builder.getInt32(How), File, Environment});
  }
}

/// Whether system call number N makes processes, with a copy of the memory.
static bool isFork(const Triple &Target, uint64_t N) {
  if (Target.getArch() == Triple::x86_64)
    return N == 56 || N == 57 || N == 435; // clone, fork, clone3
  return N == 220 || N == 435;
}

namespace {

/// The way in which a function makes processes without running handlers of
/// fork().
enum class ForkKind { None, ReturnsTwice, CallsChild };

} // namespace

static ForkKind forkKind(const CallBase &Call) {
  const Function *Callee = Call.getCalledFunction();
  if (!Callee || !Callee->isDeclaration())
    return ForkKind::None;
  const StringRef Name = Callee->getName();
  if (Name == "_Fork")
    return ForkKind::ReturnsTwice;
  if (Name == "clone" && Call.arg_size() >= 3)
    return ForkKind::CallsChild;
  if (Name != "syscall" || Call.arg_empty())
    return ForkKind::None;
  const auto *Number = dyn_cast<ConstantInt>(Call.getArgOperand(0));
  const Triple Target(Call.getModule()->getTargetTriple());
  return !Number || isFork(Target, Number->getZExtValue())
             ? ForkKind::ReturnsTwice
             : ForkKind::None;
}

bool declaresProcessCalls(const Module &M) {
  return any_of(M, [](const Function &F) {
    const StringRef Name = F.getName();
    return F.isDeclaration() && (findExec(Name) || Name == "_Fork" ||
                                 Name == "clone" || Name == "syscall");
  });
}

static void callAfterFork(Instruction *Place, const DebugLoc &Location) {
  IRBuilder<> Builder(Place);
  Builder.SetCurrentDebugLocation(Location);
  callRuntime(Builder, ARCLINE_SYM_AFTER_FORK, Builder.getVoidTy(), {});
}

static bool isCallAfterFork(const Instruction &I) {
  const auto *Call = dyn_cast<CallBase>(&I);
  const Function *Callee = Call ? Call->getCalledFunction() : nullptr;
  return Callee && Callee->getName() == ARCLINE_SYM_AFTER_FORK;
}

/// In a function that the child begins with.
static void insertAtStart(Function &Child) {
  Instruction *Body = afterAllocas(Child);
  const Instruction *Before = Body->getPrevNode();
  if (!isCallAfterFork(*Body) && !(Before && isCallAfterFork(*Before)))
    callAfterFork(Body, entryLocation(Child));
}

/// The number of the system call if that is known at run time only, otherwise
/// -1.
static Value *systemCall(const CallBase &Call, ForkKind Kind,
                         IRBuilder<> &Builder) {
  Type *I64 = Builder.getInt64Ty();
  Value *Number = Call.arg_empty() ? nullptr : Call.getArgOperand(0);
  return Kind == ForkKind::ReturnsTwice && Number && Number->getType() == I64 &&
                 !isa<Constant>(Number)
             ? Number
             : ConstantInt::getSigned(I64, -1);
}

void insertForkCalls(Function &F) {
  SmallVector<std::pair<CallBase *, ForkKind>, 2> Calls;
  for (Instruction &I : instructions(F))
    if (auto *Call = dyn_cast<CallBase>(&I))
      if (const ForkKind Kind = forkKind(*Call); Kind != ForkKind::None)
        Calls.push_back({Call, Kind});
  for (auto [Call, Kind] : Calls) {
    IRBuilder<> Builder(Call);
    callRuntime(Builder, ARCLINE_SYM_BEFORE_FORK, Builder.getVoidTy(),
                {systemCall(*Call, Kind, Builder)});
    if (Kind == ForkKind::CallsChild) {
      auto *Child =
          dyn_cast<Function>(Call->getArgOperand(0)->stripPointerCasts());
      if (Child && !Child->isDeclaration() &&
          !Child->hasAvailableExternallyLinkage())
        insertAtStart(*Child);
      continue;
    }
    // If the call throws, there is no new process.
    Instruction *After = Call->getNextNode();
    if (auto *Invoke = dyn_cast<InvokeInst>(Call))
      After = &*Invoke->getNormalDest()->getFirstInsertionPt();
    if (!Call->isMustTailCall())
      callAfterFork(After, Call->getDebugLoc());
  }
}

/// An address for code that hardly ever runs; it must not occupy a register
/// elsewhere.
static Value *addressHere(IRBuilder<> &Builder, Constant *Address) {
  // Otherwise it may be far away, or of another machine.
  return mayUseSegment(*Builder.GetInsertBlock()->getParent())
             ? addressInRegister(Address, Builder.getPtrTy(),
                                 &*Builder.GetInsertPoint())
             : Address;
}

void lowerIndirectMarker(CallInst *Marker, Constant *Site, unsigned Cell,
                         function_ref<Value *(Instruction *)> CellsIn) {
  Module &M = *Marker->getModule();
  Type *I64 = Type::getInt64Ty(M.getContext());
  MDNode *Unlikely = MDBuilder(M.getContext()).createBranchWeights(1, 1000);
  Type *Ptr = PointerType::getUnqual(M.getContext());
  Value *Callee = Marker->getArgOperand(0);
  IRBuilder<> Builder(Marker);
  Value *First = hideFromSanitizers(Builder.CreateLoad(Ptr, Site));
  Instruction *Other = SplitBlockAndInsertIfThen(
      Builder.CreateICmpNE(Callee, First), Marker, false, Unlikely);
  Builder.SetInsertPoint(Other);
  Value *Second = hideFromSanitizers(Builder.CreateLoad(
      Ptr, Builder.CreateConstGEP1_64(Builder.getInt8Ty(), Site,
                                      offsetof(arcline_site, second))));
  Instruction *IsSecond, *IsThird;
  SplitBlockAndInsertIfThenElse(Builder.CreateICmpEQ(Callee, Second), Other,
                                &IsSecond, &IsThird);
  Builder.SetInsertPoint(IsSecond);
  Value *Address = addressOfCell(Builder, CellsIn(IsSecond), Cell);
  Value *Count = hideFromSanitizers(Builder.CreateLoad(I64, Address));
  hideFromSanitizers(Builder.CreateStore(
      Builder.CreateAdd(Count, ConstantInt::get(I64, 1)), Address));
  Builder.SetInsertPoint(IsThird);
  callRuntime(Builder, ARCLINE_SYM_INDIRECT, Builder.getVoidTy(),
              {addressHere(Builder, Site), Callee});
  Marker->eraseFromParent();
}

} // namespace arcline

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "SourceFunctions.h"
#include "Passes.h"

#include "llvm/ADT/StringMap.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/Metadata.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

using namespace llvm;

namespace arcline {

void SourceFunctions::note(Function &F, const RecordData &Record,
                           GlobalVariable *Counters) {
  LLVMContext &Context = F.getContext();
  Module &M = *F.getParent();
  M.getOrInsertNamedMetadata(RecordsMetadata)
      ->addOperand(MDNode::get(
          Context, {toMetadata(M, Record),
                    Counters ? ValueAsMetadata::get(Counters) : nullptr,
                    MDString::get(Context, F.getName())}));
}

SmallVector<RecordData, 0> SourceFunctions::records() const {
  SmallVector<RecordData, 0> Result;
  for (const SourceFunction &Source : All)
    Result.push_back(Source.Record);
  return Result;
}

bool isResumePart(const Function &F) {
  StringRef Suffix = F.getName();
  return Suffix.consume_front(
             F.getFnAttribute(EligibleAttribute).getValueAsString()) &&
         (Suffix.starts_with(".resume") || Suffix.starts_with(".destroy") ||
          Suffix.starts_with(".cleanup"));
}

/// The body of each source function. Passes that change a signature make a new
/// function of the old name; of one that was specialised, only clones may be
/// left, and the first one represents all.
static StringMap<Function *> bodiesByName(Module &M) {
  StringMap<Function *> Result;
  for (Function &F : M) {
    const Attribute Eligible = F.getFnAttribute(EligibleAttribute);
    if (F.isDeclaration() || !Eligible.isValid())
      continue;
    const StringRef Name = Eligible.getValueAsString();
    if (F.getName() == Name)
      Result[Name] = &F;
    else if (!isResumePart(F))
      Result.try_emplace(Name, &F);
  }
  return Result;
}

SourceFunctions::SourceFunctions(Module &M) {
  NamedMDNode *Metadata = M.getNamedMetadata(RecordsMetadata);
  if (!Metadata)
    return;
  const StringMap<Function *> BodyOf = bodiesByName(M);
  for (const MDNode *Entry : Metadata->operands()) {
    const unsigned Index = unsigned(All.size());
    SourceFunction Source{};
    Source.Record = fromMetadata(*cast<MDNode>(Entry->getOperand(0)));
    Source.Counters =
        mdconst::extract_or_null<GlobalVariable>(Entry->getOperand(1));
    auto Body = BodyOf.find(cast<MDString>(Entry->getOperand(2))->getString());
    if (Body != BodyOf.end()) {
      Source.Body = Body->second;
      ByBody[Source.Body] = Index;
    }
    ById[Source.Record.Id] = Index;
    if (Source.Counters)
      ByCounters[Source.Counters] = Index;
    All.push_back(Source);
  }
  Metadata->eraseFromParent(); // used up: a second run finds no request
}

template <typename Map, typename Key>
static const SourceFunction *lookUp(const SmallVectorImpl<SourceFunction> &All,
                                    const Map &Index, Key Wanted) {
  auto Found = Index.find(Wanted);
  return Found == Index.end() ? nullptr : &All[Found->second];
}

const SourceFunction *SourceFunctions::byId(uint64_t Id) const {
  return lookUp(All, ById, Id);
}

const SourceFunction *
SourceFunctions::byCounters(const GlobalVariable *Counters) const {
  return lookUp(All, ByCounters, Counters);
}

const SourceFunction *SourceFunctions::byBody(const Function *Body) const {
  return lookUp(All, ByBody, Body);
}

void SourceFunctions::eraseCounters(Module &M) {
  removeFromUsedLists(M, [&](Constant *C) {
    return byCounters(dyn_cast<GlobalVariable>(C->stripPointerCasts()));
  });
  for (SourceFunction &Source : All)
    if (Source.Counters) {
      Source.Counters->removeDeadConstantUsers();
      Source.Counters->eraseFromParent();
    }
}

} // namespace arcline

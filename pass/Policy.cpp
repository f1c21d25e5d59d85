// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Selects the functions that are instrumented, and reads the options for it.

#include "Compat.h"
#include "Passes.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/GlobalIFunc.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/TargetParser/Triple.h"

#include <cstdlib>
#include <iterator>

using namespace llvm;

namespace arcline {

Options Options::fromEnvironment(Module &M) {
  Options Result;
  const char *Text = std::getenv("ARCLINE_PASS_OPTIONS");
  if (!Text)
    return Result;
  SmallVector<StringRef, 4> Settings;
  StringRef(Text).split(Settings, ':', -1, /*KeepEmpty=*/false);
  const struct {
    StringRef On, Off;
    bool &Wish;
  } Switches[] = {
      {"blocks=on", "blocks=off", Result.Blocks},
      {"promote=on", "promote=off", Result.Promote},
      {"segment=on", "segment=off", Result.Segment},
      {"atomic=on", "atomic=off", Result.Atomic},
      {"lifetimes=on", "lifetimes=off", Result.Lifetimes},
      {"mcdc=on", "mcdc=off", Result.Decisions},
      {"threads=announced", "threads=unannounced", Result.Announced},
  };
  for (StringRef Setting : Settings) {
    const auto *Switch = find_if(Switches, [&](const auto &S) {
      return Setting == S.On || Setting == S.Off;
    });
    if (Switch != std::end(Switches))
      Switch->Wish = Setting == Switch->On;
    else if (Setting == "calls=on")
      Result.Calls = CallCounting::Sites;
    else if (Setting == "calls=mcount")
      Result.Calls = CallCounting::Mcount;
    else if (Setting == "calls=off")
      Result.Calls = CallCounting::Off;
    else if (Setting.starts_with("suite=/"))
      Result.Suite = Setting.drop_front(StringRef("suite=").size());
    else {
      M.getContext().emitError(
          "arcline: ARCLINE_PASS_OPTIONS: unknown setting `" + Setting +
          "'; use calls=on, calls=mcount, calls=off, "
          "blocks=on, blocks=off, promote=on, promote=off, segment=on, "
          "segment=off, atomic=on, atomic=off, lifetimes=on, lifetimes=off, "
          "mcdc=on, mcdc=off, "
          "threads=announced, threads=unannounced or suite=FOLDER, an absolute "
          "path");
      Result.Calls = CallCounting::Off;
      Result.Blocks = false;
      break;
    }
  }
  return Result;
}

bool hasRuntime(const Module &M) {
  const Triple Target(M.getTargetTriple());
  if (Target.getTriple().empty()) // hand-written
    return true;
  const Triple::ArchType Arch = Target.getArch();
  return Target.isOSLinux() && Target.isOSBinFormatELF() &&
         M.getDataLayout().getPointerSizeInBits(0) == 64 &&
         (Arch == Triple::x86_64 || Arch == Triple::aarch64 ||
          Arch == Triple::riscv64);
}

bool isShared(const Module &M) {
  return M.getPICLevel() != PICLevel::NotPIC &&
         M.getPIELevel() == PIELevel::Default;
}

// The IR has no trace of __attribute__((no_instrument_function)), except that
// with -pg (of cc1) clang requests mcount from all *other* functions. This is
// the only reason for which arcline-cc passes -Xclang -pg. With the user's
// -mfentry the request has another name.
static bool hasEntryRequest(const Function &F) {
  return F.hasFnAttribute("instrument-function-entry-inlined") ||
         F.hasFnAttribute("fentry-call");
}

Eligibility::Eligibility(Module &M) {
  for (GlobalIFunc &IFunc : M.ifuncs())
    if (Function *Resolver = IFunc.getResolverFunction())
      Resolvers.insert(Resolver);
  HasEntryRequests = any_of(M, hasEntryRequest);
}

bool Eligibility::mayInstrument(const Function &F) const {
  // A body that another object owns is only for inlining.
  if (F.isDeclaration() || (F.hasAvailableExternallyLinkage() &&
                            F.hasFnAttribute(Attribute::NoInline)))
    return false;
  // There is no prologue, without which calls and counters do not work.
  if (F.hasFnAttribute(Attribute::Naked))
    return false;
  // Requested by the user, in various spellings.
  if (F.hasFnAttribute(Attribute::NoProfile) ||
      F.hasFnAttribute(Attribute::SkipProfile) ||
      F.hasFnAttribute(Attribute::DisableSanitizerInstrumentation))
    return false;
  // Functions that the compiler made up (without a source function) never
  // get a request, but static initialisers are code of the user's.
  if (HasEntryRequests && !hasEntryRequest(F) &&
      F.getSection() != ".text.startup")
    return false;
  if (is_contained(Resolvers, &F))
    return false;
  // The runtime itself, and code for contexts in which no other code may run.
  if (F.getName().starts_with("__arcline_") ||
      F.getSection() == ".noinstr.text")
    return false;
  // Exception handling of Windows has blocks without room for an instruction.
  if (F.hasPersonalityFn() &&
      isScopedEHPersonality(classifyEHPersonality(F.getPersonalityFn())))
    return false;
  return !isa<UnreachableInst>(F.getEntryBlock().getFirstNonPHIOrDbg());
}

} // namespace arcline

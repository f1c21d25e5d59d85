// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// clang translates `a && b`, as a value, to
//
//        br a, rhs, join
//   rhs: br join
//   join: phi i1 [ false ], [ b, rhs ]
//
// with constants from all branches of the left side. If that is the condition
// of a loop, a branch by the phi follows. `x ? 1 : 2` becomes a select, other
// conditional expressions become branches.

#include "SourceBranches.h"
#include "Compat.h"
#include "CompilerBranches.h"
#include "Markers.h"
#include "SourceLines.h"
#include "SourceText.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

#include <optional>
#include <tuple>

using namespace llvm;

namespace arcline {

static bool isOfCFamily(const Function &F) {
  const DISubprogram *Program = F.getSubprogram();
  const DICompileUnit *Unit = Program ? Program->getUnit() : nullptr;
  if (!Unit)
    return false;
  // The code of other front ends is unknown.
  return Unit->getProducer().contains("clang version");
}

/// The incoming value of the right side, if Phi is the outcome of && or ||.
static const Use *rightSide(const PHINode &Phi) {
  const ConstantInt *Decided = nullptr;
  const Use *Right = nullptr;
  if (!Phi.getType()->isIntegerTy(1))
    return nullptr;
  for (unsigned I = 0; I != Phi.getNumIncomingValues(); ++I) {
    const Instruction &Last = *Phi.getIncomingBlock(I)->getTerminator();
    if (!isBranch(Last))
      return nullptr;
    if (!asConditional(Last)) {
      if (Right)
        return nullptr;
      Right = &Phi.getOperandUse(I);
      continue;
    }
    const auto *Constant = dyn_cast<ConstantInt>(Phi.getIncomingValue(I));
    if (!Constant || (Decided && Decided != Constant))
      return nullptr;
    Decided = Constant;
  }
  return Decided ? Right : nullptr;
}

bool isLogical(const Value *V) {
  const auto *Phi = dyn_cast<PHINode>(withoutNot(V));
  return Phi && rightSide(*Phi);
}

static SourcePlace earlier(const SourcePlace &A, const SourcePlace &B) {
  if (!A.Line || !B.Line || A.File != B.File)
    return A.Line ? A : B;
  return std::tie(B.Line, B.Column) < std::tie(A.Line, A.Column) ? B : A;
}

static SourcePlace ownPlace(const Function &F, const Instruction &I) {
  const SourceLine At = lineOf(F, I);
  return {At.File, At.Line, At.Line ? I.getDebugLoc().getCol() : 0};
}

/// The beginning of the expression whose value is V, by its leftmost part.
SourcePlace SourceBranches::beginOf(const Value *V, unsigned Depth) const {
  constexpr unsigned MaxDepth = 16;
  const auto *I = dyn_cast<Instruction>(V);
  if (!I || isa<AllocaInst>(I) || Depth == MaxDepth || OpenMp.isCapture(*I))
    return {};
  const SourcePlace Own = ownPlace(F, *I);
  if (isa<PHINode>(I) || isa<LandingPadInst>(I))
    return Own;
  if (isa<CmpInst>(I) || isa<BinaryOperator>(I) || isa<CastInst>(I)) {
    // A conversion to bool has the place of && or || itself.
    const SourcePlace First = beginOf(I->getOperand(0), Depth + 1);
    return First.Line ? First : Own;
  }
  const Value *Base = nullptr;
  if (const auto *Call = dyn_cast<CallBase>(I))
    Base = Call->arg_empty() ? nullptr : Call->getArgOperand(0);
  else if (I->getNumOperands())
    Base = I->getOperand(0);
  return Base ? earlier(Own, beginOf(Base, Depth + 1)) : Own;
}

/// The inner && or || of `a && (b || c)`, or the outer one, if the block only
/// passes its outcome on.
static PHINode *handedTo(const PHINode &Outcome) {
  const BasicBlock *Next = Outcome.getParent()->getSingleSuccessor();
  if (!Next)
    return nullptr;
  for (const PHINode &Phi : Next->phis())
    if (const Use *Right = rightSide(Phi))
      if (Phi.getIncomingBlock(*Right) == Outcome.getParent() &&
          withoutNot(Right->get()) == &Outcome)
        return const_cast<PHINode *>(&Phi);
  return nullptr;
}

/// The joint of a block, if Outcome is all that it contains.
static std::optional<Joint> asJoint(PHINode &Outcome) {
  const BasicBlock &Block = *Outcome.getParent();
  for (const Instruction &I : Block) {
    const Value *V = &I;
    while (const auto *Cast = dyn_cast<CastInst>(V))
      V = Cast->getOperand(0);
    if (!I.isTerminator() && !isMarker(I) && withoutNot(V) != &Outcome)
      return std::nullopt;
  }
  const Instruction &Last = *Block.getTerminator();
  if (!isBranch(Last))
    return std::nullopt;
  const Value *GoesOnBy;
  if (const auto *Branch = asConditional(Last)) {
    GoesOnBy = Branch->getCondition();
    if (Branch->getSuccessor(0) == Branch->getSuccessor(1))
      return std::nullopt;
  } else {
    PHINode *Next = handedTo(Outcome);
    if (!Next || !asJoint(*Next))
      return std::nullopt;
    GoesOnBy = rightSide(*Next)->get();
  }
  if (withoutNot(GoesOnBy) != &Outcome)
    return std::nullopt;
  return Joint{&Outcome, isOpposite(GoesOnBy)};
}

/// Is it an operator, such as `==`, that the source declares as defaulted? Its
/// branches are those by which clang compares or assigns members.
static bool isDefaultedOperator(const Function &F, SourceText &Text) {
  const DISubprogram *Program = F.getSubprogram();
  if (!Program || !Program->getName().starts_with("operator"))
    return false;
  for (const BasicBlock &Block : F) {
    const Instruction &Last = *Block.getTerminator();
    const DILocation *Location = Last.getDebugLoc();
    if (asConditional(Last) && Location && Location->getLine())
      return Text.isDefaulted(*Location);
  }
  return false;
}

SourceBranches::SourceBranches(Function &F, SourceText &Text)
    : F(F), IsOfC(isOfCFamily(F)), IsDefaulted(isDefaultedOperator(F, Text)),
      Made(F), OpenMp(F) {
  if (!IsOfC || IsDefaulted)
    return;
  for (BasicBlock &Block : F)
    for (PHINode &Phi : Block.phis())
      if (rightSide(Phi))
        if (const auto Joint = asJoint(Phi))
          Joints.try_emplace(&Block, *Joint);
  for (BasicBlock &Block : F)
    findValueConditions(Block);
}

/// Is it `x ? 1 : 2`? Other choices are of computed values.
static bool isConditional(const SelectInst &Select) {
  if (!Select.getCondition()->getType()->isIntegerTy(1) ||
      isa<Constant>(Select.getCondition()) ||
      !isa<Constant>(Select.getTrueValue()) ||
      !isa<Constant>(Select.getFalseValue()))
    return false;
  // For <=> and some builtins clang makes one choice inside another one.
  return none_of(Select.users(), [&](const User *U) {
    return isa<SelectInst>(U) && haveOnePlace(*cast<SelectInst>(U), Select);
  });
}

void SourceBranches::findValueConditions(BasicBlock &Block) {
  const auto Add = [&](Value *Condition, Instruction *Place, PHINode *Outcome,
                       const Instruction &Owner) {
    if (isa<Constant>(Condition) || isLogical(Condition))
      return;
    SourcePlace At = beginOf(withoutNot(Condition));
    if (!At.Line)
      At = ownPlace(F, Owner);
    if (At.Line)
      ValueConditions[&Block].push_back({Condition, Place, Outcome, At});
  };
  for (Instruction &I : Block)
    if (auto *Select = dyn_cast<SelectInst>(&I))
      if (isConditional(*Select))
        Add(Select->getCondition(), &I, nullptr, I);
  BasicBlock *Next = Block.getSingleSuccessor();
  if (!Next)
    return;
  for (PHINode &Phi : Next->phis())
    if (const Use *Right = rightSide(Phi))
      if (Phi.getIncomingBlock(*Right) == &Block)
        Add(Right->get(), Block.getTerminator(), &Phi, Phi);
}

bool SourceBranches::isOfCompiler(const Instruction &Terminator) const {
  if (const auto *Switch = dyn_cast<SwitchInst>(&Terminator))
    return Made.contains(*Switch);
  const auto *Branch = asConditional(Terminator);
  return Branch &&
         (isLogical(Branch->getCondition()) || Made.contains(*Branch));
}

SourcePlace SourceBranches::placeOf(const Instruction &Terminator) const {
  const SourcePlace Own = ownPlace(F, Terminator);
  if (!IsOfC)
    return Own;
  if (IsDefaulted || isOfCompiler(Terminator))
    return {};
  const auto *Branch = asConditional(Terminator);
  if (!Branch)
    return Own;
  const SourcePlace At = beginOf(withoutNot(Branch->getCondition()));
  return At.Line ? At : Own;
}

ArrayRef<ValueCondition>
SourceBranches::valueConditionsIn(const BasicBlock &Block) const {
  const auto Found = ValueConditions.find(&Block);
  return Found == ValueConditions.end() ? ArrayRef<ValueCondition>()
                                        : Found->second;
}

const Joint *SourceBranches::jointAfter(const ValueCondition &Value) const {
  return Value.Outcome ? jointIn(*Value.Outcome->getParent()) : nullptr;
}

const Joint *SourceBranches::jointIn(const BasicBlock &Block) const {
  const auto Found = Joints.find(&Block);
  return Found == Joints.end() ? nullptr : &Found->second;
}

} // namespace arcline

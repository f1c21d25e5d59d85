// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// After a statement, clang often emits a block with only a branch: the join of
// the paths of an if, a switch or a loop. Such a branch has the location that
// was set last, which is somewhere in the statement. If it counted for that
// line, the line would be entered again whenever control joins. A branch that
// is a jump of the source (break, continue, goto) looks the same; the text
// distinguishes them, unless a macro hides the jump.
//
// Nor is a line entered by the join of the two ways of `?:`, && or || in the
// middle of an expression: the line was left for an operand on another one.
// Likewise the rest of a macro, all of whose code is on the line of its name,
// after an argument on another line. An operand that is a constant has no code;
// the text has its line.
//
// Without the text: clang emits blocks in the order of the source. So a branch
// is a join if some block before it is at its line or a later one; a jump comes
// after all of these.

#include "SourceLines.h"
#include "Compat.h"
#include "CompilerBranches.h"
#include "CompilerMade.h"
#include "CoroutineCode.h"
#include "Markers.h"
#include "OpenMpCode.h"
#include "ReducedJumps.h"
#include "SourceText.h"
#include "UnwindCode.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

#include <algorithm>

using namespace llvm;

namespace arcline {

static SourceLine lineOf(const Function &F, const DILocation &Location) {
  const DISubprogram *Program = F.getSubprogram();
  if (!Program || Location.getInlinedAt())
    return {nullptr, 0};
  // Functions that the language adds (implicit constructors and destructors)
  // have the location of their class, and which of them exist depends on the -O
  // level; but initial values of members are code in them. The body of an
  // OpenMP directive begins with code of the source.
  if (Program->isArtificial() && Location.getLine() == Program->getLine() &&
      Location.getFile() == Program->getFile() && isMadeByCompiler(F) &&
      !isOutlined(F))
    return {nullptr, 0};
  return {Location.getFile(), Location.getLine()};
}

SourceLine lineOf(const Function &F, const Instruction &I) {
  const DILocation *Location = I.getDebugLoc();
  return Location ? lineOf(F, *Location) : SourceLine{nullptr, 0};
}

namespace {

class LineCollector {
public:
  LineCollector(FlowGraph &Graph, SourceText &Text,
                const DominatorTree &Dominators)
      : Graph(Graph), Text(Text), Dominators(Dominators),
        Unwinding(Graph.Func, Text), Made(Graph.Func), Coroutine(Graph.Func),
        OpenMp(Graph.Func), IsOutlined(isOutlined(Graph.Func)),
        IsInitialiser(
            Graph.Func.getName().starts_with("__cxx_global_var_init")) {}

  void run();

private:
  bool isOwnText(SourceLine At) const {
    return At.File == Graph.Definition.File && At.Line >= Graph.Definition.Line;
  }
  SourceLine codeLine(const Instruction &I) const;
  bool isEndOfOutlined(const Instruction &I) const;
  SourceLine countedLine(const Instruction &I) const;
  bool isLoopEnd(const Instruction &Branch);
  bool isLeftOver(const Instruction &Branch, SourceLine At);
  bool staysOn(const BasicBlock &Block, SourceLine At) const;
  bool joinsOnLine(const BasicBlock &Block, SourceLine At) const;
  bool isBraceOfReturn(const Instruction &I);
  bool isEndOfBody(const Instruction &I);
  bool isPartOfOther(const Instruction &I, const Instruction &Branch,
                     SourceLine Last);
  bool isTarget(const PHINode &Value) const;
  SourceLine operandLine(const Instruction &Branch);
  bool isLineOfLoop(const BasicBlock &Head, SourceLine At);
  SmallVector<SourceLine, 4> linesBefore(const BasicBlock &Block);
  /// A node that is the other outcome of the code of another one.
  void takeOutcome(unsigned Outcome, unsigned First);
  void visitBlock(unsigned First, unsigned End);
  void visitBranch(unsigned N, bool IsLone, bool IsRest,
                   SourceLine LastOfBlock);
  void keepOnLine(const BasicBlock &Pad);
  void follow();
  void restore();

  FlowGraph &Graph;
  SourceText &Text;
  const DominatorTree &Dominators;
  const UnwindCode Unwinding;
  const CompilerBranches Made;
  const CoroutineCode Coroutine;
  const OpenMpCode OpenMp;
  const bool IsOutlined;
  const bool IsInitialiser; // of a global
  DenseMap<const BasicBlock *, unsigned> FirstNode, LastNode;

  DenseMap<const DIFile *, unsigned> LastLines; // of the blocks so far
  DenseSet<DebugPlace> Branches;                // of those
  SmallVector<unsigned, 16> LeftOver;           // nodes
  /// Lines that were entered before, and to which control may return.
  DenseMap<const BasicBlock *, SmallVector<SourceLine, 4>> Entered;
  /// Of blocks: lines of the branches back to them.
  DenseMap<const BasicBlock *, SmallVector<SourceLine, 1>> LoopLines;
  /// Lines of branches that do not count for them, and the nodes.
  SmallVector<std::pair<SourceLine, unsigned>, 16> Passed;
};

} // namespace

namespace {
/// The text at a location. A macro may stand for anything.
enum class Word { Jump, Brace, Other };
} // namespace

static Word wordAt(SourceText &Text, const Instruction &I) {
  const StringRef Rest = Text.at(*I.getDebugLoc());
  if (!Rest.empty() && Rest.front() == '}')
    return Word::Brace;
  return beginsWithJump(Rest) ? Word::Jump : Word::Other;
}

/// The line of an instruction, if it is code.
SourceLine LineCollector::codeLine(const Instruction &I) const {
  const DILocation *Location = I.getDebugLoc();
  // Lifetime markers are at closing braces, and only when optimising; so is the
  // store of the target after the end of a scope, with -Og also without
  // objects.
  if (!Location || Location->isImplicitCode() || isMarker(I) ||
      (isa<StoreInst>(I) && Made.endsScope(I) &&
       wordAt(Text, I) == Word::Brace))
    return {nullptr, 0};
  return lineOf(Graph.Func, I);
}

/// Does a function that was outlined end, without a brace? Then it has the
/// location of the last part of a statement, which may not have run.
bool LineCollector::isEndOfOutlined(const Instruction &I) const {
  return IsOutlined && isa<ReturnInst>(I) && I.getDebugLoc() &&
         wordAt(Text, I) != Word::Brace;
}

/// The line that an instruction counts for.
SourceLine LineCollector::countedLine(const Instruction &I) const {
  if (OpenMp.contains(I) || Coroutine.contains(I) || isEndOfOutlined(I) ||
      isOfCaseRange(I))
    return {nullptr, 0};
  return codeLine(I);
}

static void append(SmallVectorImpl<SourceLine> &Lines, SourceLine At) {
  if (At.Line && (Lines.empty() || !(Lines.back() == At)))
    Lines.push_back(At);
}

/// Does a lone branch follow a loop, with the location of its end? That is in
/// the body, and may be on a line that has no other code, such as a literal. A
/// body may also be a jump.
bool LineCollector::isLoopEnd(const Instruction &Branch) {
  return Made.isAtEndOfLoop(Branch) && wordAt(Text, Branch) != Word::Jump;
}

/// Is the location of a lone branch one of the statement before it?
bool LineCollector::isLeftOver(const Instruction &Branch, SourceLine At) {
  switch (wordAt(Text, Branch)) {
  case Word::Jump: // code after it may have its location, too
    return Branches.contains(placeOf(*Branch.getDebugLoc()));
  case Word::Brace:
    return true;
  default:
    return LastLines.lookup(At.File) >= At.Line;
  }
}

/// Does a switch of the compiler depend on a value? In a coroutine, clang
/// promotes the variable with the target after cleanups.
bool LineCollector::isTarget(const PHINode &Value) const {
  SmallVector<const PHINode *, 8> Left = {&Value};
  SmallPtrSet<const PHINode *, 8> Seen = {&Value};
  while (!Left.empty())
    for (const User *User : Left.pop_back_val()->users()) {
      const auto *Switch = dyn_cast<SwitchInst>(User);
      if (Switch && Made.contains(*Switch))
        return true;
      const auto *Next = dyn_cast<PHINode>(User);
      if (Next && Seen.insert(Next).second)
        Left.push_back(Next);
    }
  return false;
}

/// The line of a constant operand of `?:` that is only a lone branch; line 0 if
/// it is none.
SourceLine LineCollector::operandLine(const Instruction &Branch) {
  const BasicBlock &Arm = *Branch.getParent();
  const BasicBlock *Join = Arm.getSingleSuccessor();
  const auto *Phi = Join ? dyn_cast<PHINode>(&Join->front()) : nullptr;
  const DILocation *Location = Branch.getDebugLoc();
  if (!Phi || Phi->getNumIncomingValues() != 2 || !Location ||
      isa<Instruction>(Phi->getIncomingValueForBlock(&Arm)) || isTarget(*Phi))
    return {nullptr, 0};
  const auto [Second, Third] = Text.operandsAt(*Location);
  // The second operand comes first; later ones have no node yet.
  const BasicBlock *Other =
      Phi->getIncomingBlock(Phi->getIncomingBlock(0) == &Arm ? 1 : 0);
  return {Location->getFile(), FirstNode.count(Other) ? Third : Second};
}

/// The block that a block continues after an invoke; null if there is none.
static const BasicBlock *invokerOf(const BasicBlock &Block) {
  const BasicBlock *Before = Block.getSinglePredecessor();
  const auto *Call =
      Before ? dyn_cast<InvokeInst>(Before->getTerminator()) : nullptr;
  return Call && Call->getNormalDest() == &Block ? Before : nullptr;
}

/// The call that is the condition of a block's branch, if the call ended the
/// block before it; null if there is none.
static const InvokeInst *conditionOf(const BasicBlock &Block) {
  const BasicBlock *Before =
      asConditional(*Block.getTerminator()) ? invokerOf(Block) : nullptr;
  return Before ? cast<InvokeInst>(Before->getTerminator()) : nullptr;
}

/// Is a branch back to the head of a loop on a line of the head, as in a `for`?
bool LineCollector::isLineOfLoop(const BasicBlock &Head, SourceLine At) {
  const auto [Known, IsNew] = LoopLines.try_emplace(&Head);
  if (IsNew)
    for (const BasicBlock *Before : predecessors(&Head))
      if (Dominators.dominates(&Head, Before))
        append(Known->second, lineOf(Graph.Func, *Before->getTerminator()));
  return is_contained(Known->second, At);
}

/// Lines that were entered on the path to a block and to which control may
/// return in the middle of an expression or of a macro: those of the conditions
/// that decided the path. In a loop's head control returns to the lines that it
/// left.
SmallVector<SourceLine, 4> LineCollector::linesBefore(const BasicBlock &Block) {
  const auto *Node = Dominators.getNode(&Block);
  if (!Node || !Node->getIDom() ||
      (!beginsOwnLoop(Block) &&
       any_of(predecessors(&Block), [&](const BasicBlock *Before) {
         return Dominators.dominates(&Block, Before);
       })))
    return {};
  const BasicBlock *Before = Node->getIDom()->getBlock();
  SmallVector<SourceLine, 4> Lines = Entered.lookup(Before);
  const bool IsJoin = Block.hasNPredecessorsOrMore(2);
  if (!IsJoin && isa<InvokeInst>(Before->getTerminator()))
    return Lines;
  // Expressions that began longer ago have ended.
  constexpr size_t MaxLines = 16;
  SmallVector<const BasicBlock *, MaxLines> Parts;
  for (; Before && Parts.size() < MaxLines; Before = invokerOf(*Before))
    Parts.push_back(Before);
  for (const BasicBlock *Part : reverse(Parts))
    for (unsigned N = FirstNode.lookup(Part);
         N != Graph.Nodes.size() && Graph.Nodes[N].Block == Part; ++N)
      for (const SourceLine At : Graph.Nodes[N].Lines) {
        // Initial values of members of an object have ended.
        if (isOwnText(At))
          erase_if(Lines, [&](SourceLine Line) { return !isOwnText(Line); });
        if (!is_contained(Lines, At) && (IsJoin || !isLineOfLoop(*Part, At)))
          Lines.push_back(At);
      }
  if (Lines.size() > MaxLines)
    Lines.erase(Lines.begin(), Lines.end() - MaxLines);
  return Lines;
}

/// The line of a node's terminator, which is a branch of some kind.
///
/// IsRest  control returns to a line that it entered before
void LineCollector::visitBranch(unsigned N, bool IsLone, bool IsRest,
                                SourceLine LastOfBlock) {
  FlowNode &Node = Graph.Nodes[N];
  const SourceLine At = countedLine(*Node.Last);
  const bool IsChoice = Node.Last->getNumSuccessors() > 1;
  // The branch of a condition over several lines is at the first one.
  const bool IsLater = !LastOfBlock.Line || (At.File == LastOfBlock.File &&
                                             At.Line > LastOfBlock.Line);
  if (!At.Line || (IsLone && !IsChoice && isLoopEnd(*Node.Last))) {
    // Without a line, like the code before it.
  } else if (IsLone ? !isLeftOver(*Node.Last, At) && (IsChoice || !IsRest)
                    : !IsChoice && IsLater &&
                          wordAt(Text, *Node.Last) != Word::Brace &&
                          !Text.isDirective(*Node.Last->getDebugLoc())) {
    append(Node.Lines, At);
    return;
  } else if (wordAt(Text, *Node.Last) != Word::Brace) {
    Passed.push_back({At, N});
  }
  if (!IsChoice && IsLone) {
    SourceLine Operand = operandLine(*Node.Last);
    // If control never left the line, it is still there; as in a macro, whose
    // rest may begin with an argument on another line.
    if (!Operand.Line && At.Line && joinsOnLine(*Node.Block, At))
      Operand = At;
    append(Node.Lines, Operand);
    if (!Operand.Line)
      LeftOver.push_back(N);
  }
}

/// Does control come to a block from code of one line only? Blocks without a
/// line, such as joins of conditions, may be in between.
bool LineCollector::staysOn(const BasicBlock &Block, SourceLine At) const {
  SmallVector<const BasicBlock *, 8> Left = {&Block};
  SmallPtrSet<const BasicBlock *, 8> Passing = {&Block};
  while (!Left.empty())
    for (const BasicBlock *Before : predecessors(Left.pop_back_val())) {
      const auto Last = LastNode.find(Before);
      if (Last == LastNode.end() || beginsOwnLoop(*Before))
        return false;
      const unsigned First = FirstNode.lookup(Before);
      unsigned N = Last->second;
      while (N > First && Graph.Nodes[N].Lines.empty())
        --N;
      const auto &Lines = Graph.Nodes[N].Lines;
      if (is_contained(Lines, At))
        continue;
      if (!Lines.empty() || pred_empty(Before))
        return false;
      if (Passing.insert(Before).second)
        Left.push_back(Before);
    }
  return true;
}

/// Does control come to a block from ends of code on one line only?
bool LineCollector::joinsOnLine(const BasicBlock &Block, SourceLine At) const {
  return all_of(predecessors(&Block), [&](const BasicBlock *Before) {
    const auto Last = LastNode.find(Before);
    if (Last == LastNode.end())
      return false;
    const auto &Lines = Graph.Nodes[Last->second].Lines;
    return !Lines.empty() && Lines.back() == At;
  });
}

/// Does I only convert a value to a condition, for a branch at the same place?
static bool isPartOfBranch(const Instruction &I, const Instruction &Branch) {
  return isBranch(Branch) && haveOnePlace(I, Branch) &&
         (isa<CmpInst>(I) || isa<CastInst>(I) || isa<BinaryOperator>(I));
}

/// Does it compute the place of an element of an array that is initialised? It
/// has the location of the whole initialiser, between those of two elements;
/// for cleanups the place is stored, too.
static bool isPlaceOfElement(const Instruction &I) {
  const auto *Store = dyn_cast<StoreInst>(&I);
  const Value *Place = Store ? Store->getValueOperand() : &I;
  if (const auto *First = dyn_cast<AllocaInst>(Place))
    return Store && First->getAllocatedType()->isArrayTy();
  const auto *Next = dyn_cast<GetElementPtrInst>(Place);
  return Next && Next->getNumIndices() == 1 && Next->hasAllConstantIndices() &&
         haveOnePlace(*Next, I) &&
         isa<AllocaInst, GetElementPtrInst>(Next->getPointerOperand());
}

/// Is it a return at a closing brace, or the result for it? It does not imply
/// that the statement before the brace ran.
bool LineCollector::isBraceOfReturn(const Instruction &I) {
  const Instruction *Return = I.getParent()->getTerminator();
  return isa<ReturnInst>(Return) && haveOnePlace(I, *Return) &&
         !isa<CallBase>(I) && wordAt(Text, I) == Word::Brace;
}

/// Does a block check whether a static object is initialised already?
static bool testsGuard(const BasicBlock &Block) {
  return Block.getTerminator()->getNumSuccessors() > 1 &&
         any_of(Block, [](const Instruction &I) {
           return any_of(I.operands(), [](const Value *Operand) {
             return isa<GlobalVariable>(Operand) &&
                    Operand->getName().starts_with("_ZGV");
           });
         });
}

/// Does a text begin with the brace after the body of `do`?
static bool isEndOfDo(StringRef Rest) {
  return Rest.consume_front("}") && Rest.ltrim().starts_with("while");
}

/// Is it the end of the scope of a body without braces? It has the location of
/// the end of the last statement, which may have been left before. Nor does the
/// end of the body of `do` imply that the condition after its brace ran.
bool LineCollector::isEndOfBody(const Instruction &I) {
  return Made.endsScope(I) && (wordAt(Text, I) != Word::Brace ||
                               isEndOfDo(Text.at(*I.getDebugLoc())));
}

/// Does it belong to code that entered its line before, or to no statement?
bool LineCollector::isPartOfOther(const Instruction &I,
                                  const Instruction &Branch, SourceLine Last) {
  return (isPartOfBranch(I, Branch) && countedLine(I).Line < Last.Line) ||
         isBraceOfReturn(I) || isEndOfBody(I) || isPlaceOfElement(I) ||
         (IsInitialiser && isa<ReturnInst>(I));
}

void LineCollector::takeOutcome(unsigned Outcome, unsigned First) {
  Graph.Nodes[Outcome].Lines = Graph.Nodes[First].Lines;
  Graph.Nodes[Outcome].CodeLines = Graph.Nodes[First].CodeLines;
  if (!LeftOver.empty() && LeftOver.back() == First)
    LeftOver.push_back(Outcome);
}

/// The lines of the nodes of one block.
void LineCollector::visitBlock(unsigned First, unsigned End) {
  const BasicBlock &Block = *Graph.Nodes[First].Block;
  const InvokeInst *Call = conditionOf(Block);
  SourceLine Last = Call ? countedLine(*Call) : SourceLine{nullptr, 0};
  bool IsLone = !Call;
  const SmallVector<SourceLine, 4> Before = linesBefore(Block);
  // An iteration for each element is not an iteration of the line. An
  // initialiser of a global begins after the check of its guard.
  const bool IsOwn =
      beginsOwnLoop(Block) || (IsInitialiser && testsGuard(Block));
  if (!Before.empty())
    Entered[&Block] = Before;
  // Code that returns to a line without a loop is the rest of that line.
  const auto Enters = [&](SourceLine To) {
    return !is_contained(Before, To) || staysOn(Block, To);
  };
  for (unsigned N = First; N != End; ++N) {
    FlowNode &Node = Graph.Nodes[N];
    // A block that resumes unwinding has the location of some call.
    if (isa<ResumeInst>(Node.Last) || Node.IsAfterCondition)
      continue;
    if (Node.IsOutcome && N != First) {
      takeOutcome(N, First);
      continue;
    }
    for (Instruction *I = Node.First;; I = I->getNextNode()) {
      append(Node.CodeLines, codeLine(*I));
      const SourceLine At = countedLine(*I), Catch = Unwinding.catchAt(*I);
      if (Enters(Catch))
        append(Node.Lines, Catch);
      if (Unwinding.contains(*I)) {
        if (I == Node.Last)
          break;
        continue;
      }
      forEachLabel(*I, [&](const DILocation &Location) {
        append(Node.Lines, lineOf(Graph.Func, Location));
      });
      if (isBranch(*I) || isa<SwitchInst>(I)) {
        visitBranch(N, IsLone, !Enters(At), Last);
        if (const DILocation *Location = I->getDebugLoc())
          Branches.insert(placeOf(*Location));
      } else if (At.Line) {
        if (IsOwn || isPartOfOther(*I, *Node.Last, Last))
          Passed.push_back({At, N});
        else if (Enters(At))
          append(Node.Lines, At);
        Last = At;
      }
      IsLone &= isMarker(*I) || (isa<PHINode>(I) && !At.Line) ||
                (isa<StoreInst>(I) && Made.endsScope(*I));
      if (At.Line) {
        unsigned &LastLine = LastLines[At.File];
        LastLine = std::max(LastLine, At.Line);
      }
      if (I == Node.Last)
        break;
    }
  }
}

/// An exception that is caught on the line where it was thrown, as in macros of
/// tests, does not leave the line.
void LineCollector::keepOnLine(const BasicBlock &Pad) {
  SmallVector<const BasicBlock *, 8> Left = {&Pad};
  SmallPtrSet<const BasicBlock *, 8> Way;
  SmallVector<SourceLine, 4> Caught;
  while (!Left.empty()) {
    const BasicBlock *Block = Left.pop_back_val();
    if (Unwinding.contains(*Block->getTerminator())) {
      if (Way.insert(Block).second)
        append_range(Left, successors(Block));
    } else if (const auto &Lines = Graph.Nodes[FirstNode.lookup(Block)].Lines;
               !Lines.empty()) {
      Caught.push_back(Lines.front());
    }
  }
  for (const SourceLine At : Caught)
    if (any_of(predecessors(&Pad), [&](const BasicBlock *Thrower) {
          return is_contained(Graph.Nodes[LastNode.lookup(Thrower)].Lines, At);
        }))
      for (const BasicBlock *Block : Way)
        append(Graph.Nodes[FirstNode.lookup(Block)].Lines, At);
}

/// Control that joins at code that is not in the source continues to the next
/// line.
void LineCollector::follow() {
  for (const unsigned N : reverse(LeftOver)) {
    const FlowNode *Next = &Graph.Nodes[N];
    SmallPtrSet<const FlowNode *, 8> Seen;
    while (Next->Lines.empty() && Next->Last->isTerminator() &&
           Next->Last->getNumSuccessors() == 1 && Seen.insert(Next).second)
      Next = &Graph.Nodes[FirstNode.lookup(Next->Last->getSuccessor(0))];
    if (!Next->Lines.empty() && Next != &Graph.Nodes[N])
      append(Graph.Nodes[N].Lines, Next->Lines.front());
  }
}

/// A line with branches only (a lone `switch` or `for (;;)`) is still a line:
/// it is entered at the first of them.
void LineCollector::restore() {
  DenseSet<std::pair<const DIFile *, unsigned>> Listed;
  const BasicBlock *Left = nullptr; // after one jump there is no other
  for (unsigned N = 0; N != Graph.Nodes.size(); ++N)
    for (const Instruction *I = Graph.Nodes[N].First;
         Graph.Nodes[N].Block != Left; I = I->getNextNode()) {
      if (const SourceLine At = lineOfReducedJump(*I, Text, Unwinding, Made);
          At.Line) {
        Passed.push_back({At, N});
        Left = Graph.Nodes[N].Block;
      }
      if (I == Graph.Nodes[N].Last)
        break;
    }
  if (Passed.empty())
    return;
  for (const FlowNode &Node : Graph.Nodes)
    for (const SourceLine At : Node.Lines)
      Listed.insert({At.File, At.Line});
  for (const auto &[At, N] : Passed)
    if (Listed.insert({At.File, At.Line}).second)
      Graph.Nodes[N].Lines.insert(Graph.Nodes[N].Lines.begin(), At);
}

void LineCollector::run() {
  auto &Nodes = Graph.Nodes;
  for (unsigned First = 0, End; First != Nodes.size(); First = End) {
    FirstNode[Nodes[First].Block] = First;
    End = First + 1;
    while (End != Nodes.size() && Nodes[End].Block == Nodes[First].Block)
      ++End;
    visitBlock(First, End);
    LastNode[Nodes[First].Block] = End - 1;
  }
  for (const BasicBlock &Block : Graph.Func)
    if (Block.isLandingPad() && Unwinding.contains(*Block.getTerminator()))
      keepOnLine(Block);
  follow();
  restore();
}

void collectLines(FlowGraph &Graph, SourceText &Text,
                  const DominatorTree &Dominators) {
  const DISubprogram *Program = Graph.Func.getSubprogram();
  if (!Program || isRestOfDestructor(Graph.Func))
    return;
  if (Graph.Definition.Line && !isMadeByCompiler(Graph.Func))
    Graph.Nodes[0].Lines.push_back(Graph.Definition);
  Graph.Nodes[0].CodeLines = Graph.Nodes[0].Lines;
  LineCollector(Graph, Text, Dominators).run();
}

} // namespace arcline

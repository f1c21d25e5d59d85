// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Represents a body: a function that is left after inlining, with cells for
/// the counters that it updates.
#ifndef ARCLINE_BODY_H
#define ARCLINE_BODY_H

#include "Addresses.h"
#include "BodyPlan.h"
#include "Counters.h"
#include "PlanData.h"
#include "RuntimeCalls.h"
#include "SourceFunctions.h"
#include "TightLoops.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/PassManager.h"
#include "llvm/IR/Type.h"

#include <map>
#include <memory>
#include <vector>

namespace llvm {
class AllocaInst;
class CallInst;
class StructType;
class Use;
} // namespace llvm

namespace arcline {

class UnitSlots;

inline constexpr unsigned NoCell = ~0u;

/// An update by a constant, which is a point of the body's flow.
struct PlannedUpdate {
  CounterUpdate Update; // without instruction if it follows from one before it
  PlanEdge Edge = {0, 0, true};
  unsigned Cell = NoCell; // NoCell: dropped
};

/// A source function's copy in the body.
struct BodyCopy {
  std::map<unsigned, unsigned> Plain; // counter -> a cell of its own
  std::vector<PlannedUpdate *> Planned;
  bool IsOpaque = false; // uses whose counter is not known
  unsigned Number = 0;   // index into the table of copies
};

class Body {
public:
  Body(llvm::Function &F, const SourceFunctions &Sources,
       llvm::SmallVectorImpl<llvm::GlobalValue *> &Used)
      : F(F), M(*F.getParent()), Sources(Sources), Used(Used),
        Own(Sources.byBody(&F)), I32(llvm::Type::getInt32Ty(F.getContext())),
        I64(llvm::Type::getInt64Ty(F.getContext())) {}

  // The steps, in order; some questions in between.
  void collect();
  void plan(llvm::FunctionAnalysisManager &FAM, bool IsMinimal);
  void assignCells();
  bool hasCells() const { return NumCells != 0; }
  bool isSegmented() const { return IsSegmented; }
  /// Make a function that a thread may begin with find out if it does.
  void testThread();
  void rewrite(BiasState State);
  /// Emit the call sites, and encode the rest, with the addresses of blocks.
  void emitSites();
  void encode(llvm::ArrayRef<BlockEntry> Blocks, UnitSlots &Slots);
  void emit(llvm::GlobalVariable *Unit);

  llvm::Function &F;

private:
  BodyCopy &copyOf(const llvm::GlobalVariable *Counters);
  void collectFrom(llvm::Instruction &I);
  void planRow(llvm::ArrayRef<CounterUpdate> Row, PlanEdge Edge);
  void planEqualUpdates();
  void planJoined(const CounterUpdate &Update, PlanEdge Edge);
  bool isOpaque(const CounterUpdate &Update);
  unsigned newCell() { return NumCells++; }
  PlanCopy layOut(BodyCopy &Copy, unsigned NumCounters);
  llvm::SmallVector<llvm::Instruction *, 0> remainingUpdates() const;
  llvm::Value *addressFor(llvm::Instruction *Update, unsigned Cell);
  void redirect(const CounterUpdate &Update, unsigned Cell);
  void redirectOpaque(llvm::Use &U);
  void insertBiasedCells(BiasState State);
  llvm::Value *cellsIn(llvm::Instruction *User);
  llvm::GlobalVariable *emitCells();
  llvm::GlobalVariable *createTable(llvm::StructType *Row, unsigned NumRows,
                                    bool IsConstant, llvm::StringRef Section);
  llvm::Module &M;
  const SourceFunctions &Sources;
  llvm::SmallVectorImpl<llvm::GlobalValue *> &Used;
  const SourceFunction *Own;
  llvm::Type *I32, *I64;

  llvm::MapVector<const SourceFunction *, BodyCopy> Copies;
  std::vector<PlannedUpdate> Updates;
  std::vector<CounterUpdate> PlainUpdates; // on cells outside of rows
  std::vector<llvm::AtomicRMWInst *> OpaqueUpdates;
  std::vector<llvm::Use *> OpaqueUses;
  std::vector<llvm::Instruction *> Leftovers;
  // By source function and index of the call; code may have been duplicated.
  llvm::MapVector<std::pair<const SourceFunction *, uint64_t>,
                  llvm::SmallVector<llvm::CallInst *, 1>>
      Sites;
  std::vector<PlanEdge> Edges;
  std::vector<PlanCopy> PlanCopies;
  unsigned NumNodes = 0; // of the plan
  unsigned NumCells = 0;
  unsigned FirstSiteCell = 0;        // of one for each site, after all others
  bool IsSegmented = false;          // the bias is in a segment register
  std::unique_ptr<TightLoops> Tight; // if IsSegmented and optimised
  llvm::AllocaInst *Slot = nullptr;  // of the address of the cells, unoptimised
  llvm::GlobalVariable *Cells = nullptr;
  llvm::GlobalVariable *Table = nullptr; // the body's record
  llvm::GlobalVariable *Data = nullptr;  // what it is encoded to
  llvm::Value *BiasedCells = nullptr;    // the running thread's copy of them
};

} // namespace arcline

#endif

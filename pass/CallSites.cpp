// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The graph of a function without block counters has a node for its entry, one
// for each call, and one for each piece of flow that connects these.

#include "CallSites.h"
#include "BodyPlan.h"
#include "ConstantData.h"
#include "Counters.h"
#include "FlowGraph.h"
#include "Passes.h"
#include "RuntimeCalls.h"
#include "SourceFiles.h"
#include "SourceFunctions.h"

#include "llvm/Analysis/BlockFrequencyInfo.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

using namespace llvm;

namespace arcline {

unsigned markIndirectCalls(const FlowGraph &Graph, uint64_t Id) {
  Module &M = *Graph.Func.getParent();
  LLVMContext &Context = M.getContext();
  FunctionCallee Marker;
  unsigned Number = 0;
  for (unsigned I = 0; I != Graph.Calls.size(); ++I) {
    const CallSite &Site = Graph.Calls[I];
    if (!Site.Callee.empty())
      continue;
    if (!Marker) {
      Marker = M.getOrInsertFunction(IndirectMarker, Type::getVoidTy(Context),
                                     PointerType::getUnqual(Context),
                                     Type::getInt64Ty(Context),
                                     Type::getInt32Ty(Context));
      auto *F = cast<Function>(Marker.getCallee());
      F->setOnlyAccessesInaccessibleMemory();
      for (Attribute::AttrKind Kind :
           {Attribute::NoUnwind, Attribute::WillReturn, Attribute::NoFree,
            Attribute::NoSync, Attribute::NoCallback})
        F->addFnAttr(Kind);
    }
    IRBuilder<> Builder(Site.Call);
    CallInst *Mark =
        Builder.CreateCall(Marker, {Site.Call->getCalledOperand(),
                                    Builder.getInt64(Id), Builder.getInt32(I)});
    // If two were merged, a phi of their numbers would have to distinguish
    // them.
    Mark->addFnAttr(Attribute::NoMerge);
    ++Number;
  }
  return Number;
}

/// The part of Graph that concerns calls: node 0 is the entry, node i + 1 call
/// i.
static FlowGraph callGraphOf(const FlowGraph &Graph, const BodyPlan &Plan,
                             ArrayRef<Instruction *> Points) {
  FlowGraph Result(Graph.Func, Graph.Definition, Graph.Unit);
  for (Instruction *Point : Points)
    Result.Nodes.push_back({Point->getParent(), Point, Point, {}});
  if (Graph.Definition.Line)
    Result.Nodes[0].Lines.push_back(Graph.Definition);
  const unsigned FirstPiece = unsigned(Result.Nodes.size());
  Result.Nodes.resize(FirstPiece + Plan.NumNodes);
  auto PieceOf = [&](unsigned Node) {
    return Node == PlanEdge::Exit ? Result.exitNode() : FirstPiece + Node;
  };
  for (unsigned P = 0; P != Points.size(); ++P) {
    const PlanEdge &Edge = Plan.Edges[P];
    Result.Edges.push_back({PieceOf(Edge.From), P,
                            P == 0 ? ARCLINE_EDGE_ENTRY : ARCLINE_EDGE_JUMP,
                            0});
    if (Edge.IsCounted)
      Result.Edges.back().Counter = 0; // numbered below
    Result.Edges.push_back({P, PieceOf(Edge.To), ARCLINE_EDGE_JUMP, 0});
  }
  for (const CallSite &Site : Graph.Calls) {
    Result.Calls.push_back(Site);
    Result.Calls.back().Node = unsigned(Result.Calls.size());
  }
  Result.numberCounters();
  return Result;
}

void countCallSites(Module &M, FunctionAnalysisManager &FAM) {
  SourceFiles Files(M);
  ConstantData Constants(M, Files);
  Constant *One = ConstantInt::get(Type::getInt64Ty(M.getContext()), 1);
  SmallVector<GlobalValue *, 0> Arrays;
  SmallVector<Function *, 0> Noted;
  for (Function &F : M) {
    if (F.isDeclaration() || F.hasAvailableExternallyLinkage() ||
        !F.hasFnAttribute(EligibleAttribute) || isResumePart(F))
      continue;
    // Calls have the names in the code: a clone is a separate function.
    F.addFnAttr(EligibleAttribute, F.getName());
    const FlowGraph All(F);
    SmallVector<Instruction *, 16> Points = {afterAllocas(F)};
    for (const CallSite &Site : All.Calls)
      Points.push_back(Site.Call);
    const BodyPlan Plan =
        planBody(F, Points, [&]() -> const BlockFrequencyInfo & {
          return FAM.getResult<BlockFrequencyAnalysis>(F);
        });
    const FlowGraph Graph = callGraphOf(All, Plan, Points);
    const uint64_t Id = Constants.identify(Graph, /*DerivesArcs=*/true);
    Constants.addRecord(Graph, Id, /*DerivesArcs=*/true);
    GlobalVariable *Counters =
        createCounters(M, Graph.NumCounters, F.getName());
    Arrays.push_back(Counters);
    Noted.push_back(&F);
    markIndirectCalls(Graph, Id);
    for (const FlowEdge &Edge : Graph.Edges)
      if (Edge.Counter != FlowEdge::NoCounter)
        addToCounter(Points[Edge.To], {Counters, Edge.Counter}, One, nullptr);
  }
  const std::vector<RecordData> Records = Constants.finish();
  for (size_t I = 0; I != Noted.size(); ++I)
    SourceFunctions::note(*Noted[I], Records[I],
                          cast<GlobalVariable>(Arrays[I]));
  appendToCompilerUsed(M, Arrays);
}

} // namespace arcline

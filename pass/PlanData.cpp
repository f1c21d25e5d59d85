// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Edges come in the order of copies and counters, so most terms are runs, and
// nodes are identified by their distance to the last mention, which is short.

#include "PlanData.h"

#include "arcline/abi.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/LEB128.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace arcline {

namespace {
/// Gives nodes their numbers, in the order in which they are mentioned.
class Ends {
public:
  uint64_t encode(unsigned Node) {
    if (Node == PlanEdge::Exit)
      return 0;
    auto [Entry, IsNew] = Numbers.try_emplace(Node, Numbers.size());
    return IsNew ? 1 : Numbers.size() - Entry->second + 1;
  }

private:
  DenseMap<unsigned, unsigned> Numbers;
};

/// Puts terms together that are alike.
class TermWriter {
public:
  explicit TermWriter(raw_ostream &OS) : OS(OS) {}
  ~TermWriter() { finish(); }

  void put(arcline_term_kind NewKind, uint64_t Number) {
    if (Number == 0)
      return;
    if (NewKind != Kind)
      finish();
    Kind = NewKind;
    Count += Number;
  }

  void putTimes(uint64_t Times) {
    finish();
    const bool IsShort =
        Times && Times << ARCLINE_TERM_BITS >> ARCLINE_TERM_BITS == Times;
    encodeULEB128(
        (IsShort ? Times << ARCLINE_TERM_BITS : 0) | ARCLINE_TERM_TIMES, OS);
    if (!IsShort)
      encodeULEB128(Times, OS);
  }

private:
  void finish() {
    if (Count)
      encodeULEB128((Count - 1) << ARCLINE_TERM_BITS | Kind, OS);
    Count = 0;
  }

  raw_ostream &OS;
  arcline_term_kind Kind = ARCLINE_TERM_NONE;
  uint64_t Count = 0;
};
} // namespace

static bool isOneEach(const PlanCopy &Copy) {
  unsigned Next = 0;
  return Copy.Terms.size() == Copy.NumCounters &&
         all_of(Copy.Terms, [&](const PlanTerm &T) {
           return T.Counter == Next++ && T.Times == 1;
         });
}

static std::string encodeTerms(const PlanCopy &Copy) {
  std::string Bytes;
  if (isOneEach(Copy))
    return Bytes;
  raw_string_ostream OS(Bytes);
  {
    TermWriter Writer(OS);
    unsigned Counter = 0; // the next one
    for (size_t I = 0, E = Copy.Terms.size(); I != E; ++I) {
      const PlanTerm &T = Copy.Terms[I];
      Writer.put(ARCLINE_TERM_NONE, T.Counter - Counter);
      Counter = T.Counter;
      const bool IsLast = I + 1 == E || Copy.Terms[I + 1].Counter != Counter;
      if (T.Times != 1) {
        Writer.putTimes(T.Times);
      } else if (IsLast) {
        Writer.put(ARCLINE_TERM_EACH, 1);
        ++Counter;
      } else {
        Writer.put(ARCLINE_TERM_SAME, 1);
      }
    }
    // No terms at all would mean one each.
    if (Copy.Terms.empty())
      Writer.put(ARCLINE_TERM_NONE, 1);
  }
  return OS.str();
}

std::string encodePlan(unsigned NumNodes, ArrayRef<PlanEdge> Edges,
                       ArrayRef<PlanCopy> Copies) {
  const bool IsListed =
      any_of(Edges, [](const PlanEdge &E) { return !E.isAlone(); });
  if (!IsListed && all_of(Copies, isOneEach))
    return "";
  std::string Bytes;
  raw_string_ostream OS(Bytes);
  encodeULEB128(IsListed ? NumNodes : 0, OS);
  encodeULEB128(Edges.size(), OS);
  Ends Ends;
  for (const PlanEdge &E : Edges) {
    if (!IsListed)
      break;
    if (E.isAlone()) {
      encodeULEB128(E.IsCounted, OS);
      continue;
    }
    encodeULEB128((Ends.encode(E.From) + 1) << 1 | E.IsCounted, OS);
    encodeULEB128(Ends.encode(E.To), OS);
  }
  for (const PlanCopy &Copy : Copies) {
    const std::string Terms = encodeTerms(Copy);
    encodeULEB128(Copy.Terms.size(), OS);
    encodeULEB128(Terms.size(), OS);
    OS << Terms;
  }
  return OS.str();
}

std::string encodeBody(std::optional<unsigned> Own, ArrayRef<unsigned> Copies,
                       StringRef Plan) {
  std::string Bytes;
  raw_string_ostream OS(Bytes);
  encodeULEB128(Own ? *Own + 1 : 0, OS);
  encodeULEB128(Copies.size(), OS);
  for (const unsigned Slot : Copies)
    encodeULEB128(Slot, OS);
  encodeULEB128(Plan.size(), OS);
  OS << Plan;
  return OS.str();
}

} // namespace arcline

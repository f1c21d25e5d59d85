// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// A deterministic workload for Clipper: unions, intersections, offsets and
/// cleaning of self-intersecting polygons.
///
///   polyclipping_workload [SCALE]    SCALE rounds, with new polygons in each
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include "clipper.hpp"
#include "made_data.h"

using namespace ClipperLib;

namespace {

std::uint64_t check;

void add(const Paths &paths) {
  for (const Path &path : paths) {
    check = check * 31 + path.size();
    for (const IntPoint &point : path)
      check = check * 31 + static_cast<std::uint64_t>(point.X * 7 + point.Y);
  }
}

/// In a square of that size, with its corner somewhere.
Path make_polygon(std::uint32_t &random, unsigned corners, unsigned size) {
  Path path;
  const cInt x = next_random(&random, 10000), y = next_random(&random, 10000);
  for (unsigned i = 0; i < corners; i++) {
    const cInt dx = next_random(&random, size), dy = next_random(&random, size);
    path << IntPoint(x + dx, y + dy);
  }
  return path;
}

Paths make_polygons(std::uint32_t &random, unsigned n) {
  Paths paths;
  for (unsigned i = 0; i < n; i++)
    paths << make_polygon(random, 3 + next_random(&random, 5), 3000);
  return paths;
}

/// All operations, by all fill rules.
bool clip(const Paths &subject, const Paths &other) {
  static const PolyFillType fills[] = {pftEvenOdd, pftNonZero, pftPositive,
                                       pftNegative};
  for (const ClipType type : {ctIntersection, ctUnion, ctDifference, ctXor}) {
    Clipper clipper(type == ctXor ? ioStrictlySimple : 0);
    Paths result;
    if (!clipper.AddPaths(subject, ptSubject, true) ||
        !clipper.AddPaths(other, ptClip, true) ||
        !clipper.Execute(type, result, fills[type], fills[(type + 1) % 4]))
      return false;
    add(result);
  }
  return true;
}

/// Lines are clipped by polygons; the result is a tree.
bool clip_lines(std::uint32_t &random, const Paths &other) {
  Clipper clipper;
  PolyTree tree;
  Paths open, closed;
  for (int i = 0; i < 10; i++)
    clipper.AddPath(make_polygon(random, 4, 9000), ptSubject, false);
  if (!clipper.AddPaths(other, ptClip, true) ||
      !clipper.Execute(ctDifference, tree, pftNonZero))
    return false;
  OpenPathsFromPolyTree(tree, open);
  add(open);
  Clipper again;
  if (!again.AddPaths(other, ptSubject, true) ||
      !again.Execute(ctUnion, tree, pftEvenOdd))
    return false;
  for (const PolyNode *node = tree.GetFirst(); node; node = node->GetNext())
    check = check * 31 + node->IsHole() + 2 * unsigned(node->ChildCount());
  ClosedPathsFromPolyTree(tree, closed);
  add(closed);
  return true;
}

void grow(const Paths &paths) {
  Paths simple, result;
  SimplifyPolygons(paths, simple, pftNonZero);
  for (const JoinType join : {jtSquare, jtRound, jtMiter}) {
    ClipperOffset offset(2.0, 2.0);
    offset.AddPaths(simple, join, etClosedPolygon);
    offset.Execute(result, 120.0);
    add(result);
    offset.Execute(result, -60.0);
    CleanPolygons(result, 5.0);
    add(result);
  }
}

/// Coordinates that need more than 64 bits where edges cross.
bool clip_large(std::uint32_t &random) {
  Clipper clipper;
  Paths result;
  for (int i = 0; i < 8; i++) {
    Path path = make_polygon(random, 5, 8000);
    for (IntPoint &point : path) {
      point.X *= 1LL << 34;
      point.Y *= 1LL << 34;
    }
    clipper.AddPath(path, i % 2 ? ptClip : ptSubject, true);
  }
  if (!clipper.Execute(ctUnion, result, pftNonZero))
    return false;
  add(result);
  return true;
}

void look_around(std::uint32_t &random, const Paths &paths) {
  Paths sum;
  MinkowskiSum(paths[0], paths[1], sum, true);
  add(sum);
  for (const Path &path : paths) {
    check = check * 31 + (Orientation(path) ? 1 : 0);
    check += static_cast<std::uint64_t>(Area(path) > 0 ? Area(path) : 0);
    for (int i = 0; i < 20; i++) {
      const cInt x = next_random(&random, 13000);
      const cInt y = next_random(&random, 13000);
      check += unsigned(PointInPolygon(IntPoint(x, y), path) + 1);
    }
  }
}

} // namespace

int main(int argc, char **argv) {
  const int scale = argc > 1 ? std::atoi(argv[1]) : 1;
  std::uint32_t random = 20261125;
  for (int i = 0; i < scale; i++) {
    const Paths a = make_polygons(random, 30), b = make_polygons(random, 20);
    if (!clip(a, b) || !clip_lines(random, b) || !clip_large(random))
      return 1;
    grow(a);
    look_around(random, a);
  }
  std::printf("checksum %016llx\n", static_cast<unsigned long long>(check));
  return 0;
}

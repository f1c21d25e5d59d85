// Many short functions inlined into one another have many counters; the
// optimiser still removes the dead stores between which these are. A limit set
// by the user is kept. LLVM 16 keeps the copies if a counter is between them,
// even a single one.
// RUN: %clang -O2 -S -emit-llvm %s -o - | FileCheck %s
// RUN: %clang -O2 -fpass-plugin=%plugin -S -emit-llvm %s -o - | FileCheck %s --check-prefix=%if llvm-16 %{NEAR%} %else %{CHECK%}
// RUN: %clang -O2 -fpass-plugin=%plugin -mllvm -memssa-check-limit=3 -S -emit-llvm %s -o - | FileCheck %s --check-prefix=NEAR
// CHECK-LABEL: define {{.*}}starts_with_quote
// CHECK-NOT:     memcpy
// CHECK:         ret i1
// NEAR-LABEL: define {{.*}}starts_with_quote
// NEAR:         memcpy
struct Place {
  const char *At;
  long Byte, Line, Column;
};

struct Input {
  Place Here;
  const char *End;
};

template <int Depth> static inline int peek(const Input &In) {
  return peek<Depth - 1>(In);
}

template <> inline int peek<0>(const Input &In) {
  return In.Here.At == In.End ? -1 : *In.Here.At;
}

bool starts_with_quote(Input &In) {
  const Place Saved = In.Here;
  const bool Found = peek<150>(In) == '"';
  In.Here = Saved;
  return Found;
}

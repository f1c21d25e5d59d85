// If all calls lead forward, GNU gprof's -c is correct, and the bytes are the
// same.
// REQUIRES: gprof, x86_64

// DEFINE: %{same} = sh %S/Inputs/same-as-gprof.sh %gprof %arcline prog gmon.out -c
// DEFINE: %{gmon} = llvm-nm prog > symbols && \
// DEFINE:   %python %S/Inputs/mkgmon.py --symbols symbols profile.txt gmon.out
// RUN: printf 'hist _init _fini\narc main one 3\narc two three 5\n' > profile.txt
// RUN: %cc -pg -fno-toplevel-reorder -g -O0 -no-pie %s -o prog && %{gmon} && %{same} && %{same} -q && %{same} -q -l && %{same} -T
// RUN: grep -q '0/0 *four' arcline.out
// RUN: %cc -pg -fno-toplevel-reorder -g -O1 -fPIE -pie %s -o prog && %{gmon} && %{same} && %{same} -q && %{same} -q -l && %{same} -fone

volatile int sink;
static int one(int n);
static int two(int n);
int three(int n);
int four(int n);

int main(int argc, char **argv) {
  (void)argv;
  sink = one(argc);
  if (argc > 1)
    sink += two(argc) + four(argc);
  return 0;
}

static __attribute__((noinline)) int one(int n) {
  return n > 5 ? two(n) + 1 : three(n) * 2;
}

static __attribute__((noinline)) int two(int n) {
  return three(n + sink) + four(sink);
}

__attribute__((noinline)) int three(int n) { return sink + four(n) + 2; }

__attribute__((noinline)) int four(int n) { return sink * n; }

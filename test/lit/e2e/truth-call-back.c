// A function calls itself through a pointer that it passes to another one, as
// evaluators of trees do: the optimiser determines the callee. (clang crashed
// when the inliner examined it.) All calls and lines are counted.
// RUN: echo 'set -e' > check
// RUN: echo '%arcline-cc -g "$@" -I %S/Inputs %s -o %t' >> check
// RUN: echo 'rm -f gmon.out; %t > %t.truth' >> check
// RUN: echo '%check-truth %t %s %t.truth gmon.out' >> check
// RUN: for level in -O0 -O1 -O2 -O3 -Os "-O2 -fPIC"; do sh check $level || exit 1; done
#include "truth.h"

struct tree {
  int value;
  const struct tree *left, *right;
};

typedef int visitor(const struct tree *tree);

/* Small, so that it is inlined. */
static int both(const struct tree *tree, visitor *visit) {
  MARK(0);
  return visit(tree->left) + visit(tree->right);
}

/* Large enough not to be, without a loop that is unrolled. */
static int often(const struct tree *tree, visitor *visit) {
  int sum = 0;

  for (int i = 0; i < tree->value % 3; i++) {
    MARK(1);
    if (i % 2)
      sum += visit(tree->left) - visit(tree->right);
    else
      sum -= visit(tree->right);
    for (int k = 0; k < tree->value; k++) {
      MARK(2);
      sum ^= sum << 7 ^ k;
    }
  }
  return sum;
}

NEVER_INLINED static int nothing(void) {
  CALLED(4);
  return 1;
}

NEVER_INLINED static int evaluate(const struct tree *tree) {
  MARK(3);
  if (!tree)
    return nothing();
  return both(tree, evaluate) + often(tree, evaluate);
}

int main(void) {
  const struct tree leaves[] = {{4, NULL, NULL}, {5, NULL, NULL}};
  const struct tree inner = {7, &leaves[0], &leaves[1]};
  const struct tree root = {5, &inner, &leaves[1]};

  fprintf(stderr, "%d\n", evaluate(&root));
  tell_truth();
  return 0;
}

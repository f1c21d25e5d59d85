/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * Multiplies square matrices of doubles: three nested loops, the inner one
 * vectorised, hardly any calls. It shows the cost of a counter in every loop.
 *
 *   matrix [SCALE]    multiplies SCALE times
 */
#include <stdio.h>
#include <stdlib.h>

enum { SIZE = 256, MODULUS = 1021 };

typedef double matrix[SIZE][SIZE];

static matrix left, right, product;

static void fill(void) {
  for (int i = 0; i < SIZE; i++) {
    for (int j = 0; j < SIZE; j++) {
      left[i][j] = (i * 7 + j * 3) % 17;
      right[i][j] = (i * 5 + j * 11) % 13;
    }
  }
}

static void multiply(void) {
  for (int i = 0; i < SIZE; i++) {
    for (int j = 0; j < SIZE; j++)
      product[i][j] = 0;
    for (int k = 0; k < SIZE; k++)
      for (int j = 0; j < SIZE; j++)
        product[i][j] += left[i][k] * right[k][j];
  }
}

// Whole numbers, small enough to be exact: the next factor is the same in every
// build.
static void feed_back(void) {
  for (int i = 0; i < SIZE; i++)
    for (int j = 0; j < SIZE; j++)
      left[i][j] = (long)product[i][j] % MODULUS;
}

int main(int argc, char **argv) {
  const int scale = argc > 1 ? atoi(argv[1]) : 1;
  double sum = 0;

  fill();
  for (int i = 0; i < scale; i++) {
    multiply();
    feed_back();
  }
  for (int i = 0; i < SIZE; i++)
    for (int j = 0; j < SIZE; j++)
      sum += left[i][j] * (i ^ j);
  printf("sum %.0f\n", sum);
  return 0;
}

/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Integrates some formulas, one thread for each. */
#include "parse.h"

#include <pthread.h>
#include <stdio.h>

enum { N_STEPS = 10000000, N_FORMULAS = 4 };

static const char *const texts[N_FORMULAS] = {
    "x*x - 2*x + 1",
    "s(1 - x*x)",
    "((x + 1) * (x + 2) * (x + 3)) / (x*x + 4)",
    "s(s(x + 1) + s(x + 4)) / 3",
};

struct task {
  const char *text;
  double area;
  int failed;
};

static double integrate(const struct formula *formula, double from, double to) {
  double width = (to - from) / N_STEPS;
  double area = 0;

  for (int i = 0; i < N_STEPS; i++)
    area += width * formula_eval(formula, from + (i + 0.5) * width);
  return area;
}

static void *work(void *argument) {
  struct task *task = argument;
  struct formula formula;

  task->failed = formula_parse(task->text, &formula);
  if (!task->failed)
    task->area = integrate(&formula, 0, 1);
  return NULL;
}

int main(void) {
  struct task tasks[N_FORMULAS];
  pthread_t threads[N_FORMULAS];

  for (int i = 0; i < N_FORMULAS; i++) {
    tasks[i] = (struct task){.text = texts[i]};
    if (pthread_create(&threads[i], NULL, work, &tasks[i]) != 0)
      return 1;
  }
  for (int i = 0; i < N_FORMULAS; i++) {
    pthread_join(threads[i], NULL);
    if (tasks[i].failed)
      printf("%-42s is no formula\n", tasks[i].text);
    else
      printf("%-42s %.6f\n", tasks[i].text, tasks[i].area);
  }
  return 0;
}

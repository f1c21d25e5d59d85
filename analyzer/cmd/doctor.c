/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "cmd/doctor.h"

#include "base/err.h"

#include <stdio.h>

void doctor_find(struct doctor *doctor, const char *subject, const char *what,
                 const char *advice) {
  doctor->n_findings++;
  printf("%s: %s; %s\n", subject, what, advice);
}

int doctor_find_error(struct doctor *doctor, struct err *err) {
  if (err->code == ERR_SYSTEM)
    return -1;
  doctor->n_findings++;
  printf("%s\n", err->text);
  return 0;
}

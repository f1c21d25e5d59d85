/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debug/func_names.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void check(const char *linkage_name, const char *expected) {
  char *const name = func_name_demangle(linkage_name);

  if (!expected)
    assert_null(name);
  else if (!name || strcmp(name, expected) != 0)
    fail_msg("%s: %s, not %s", linkage_name, name ? name : "no name", expected);
  free(name);
}

static void test_languages(void **state) {
  (void)state;
  check("_ZN6shapes4areaEi", "shapes::area(int)");
  check("_RNvNtCs4fqI2P2rA04_1r6shapes4area", "r::shapes::area");
  check("_ZN1r6shapes4area17h0123456789abcdefE", "r::shapes::area");
  check("_D6shapes4areaFiZi", "shapes.area(int)");
  check("_QMshapesParea", "shapes::area");
  check("main", NULL);
  check("_Dial", NULL);
  check("_Quit", NULL);
}

static void test_fortran(void **state) {
  (void)state;
  check("_QQmain", "main program");
  check("_QPsolve", "solve");
  check("_QMmodSs1modSs2modFsubPfun", "mod::s1mod::s2mod::sub::fun");
  check("_QMgeometryPsum_2", "geometry::sum_2");
  check("_QFPinner", "inner");
  check("_QMshapesParea..omp_par", "shapes::area..omp_par");
  check("_QMshapesEtotal", NULL);
  check("_QMshapes", NULL);
  check("_QMshapesPareaX", NULL);
  check("_Q", NULL);
  check("_QP", NULL);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_languages),
      cmocka_unit_test(test_fortran),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

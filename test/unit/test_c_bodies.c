/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Bodies of functions in C sources, and changes that are in them alone. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "contexts/c_bodies.h"

enum { MAX_LINES = 32 };

static bool find(const char *bytes, uint32_t line, struct c_text *text,
                 struct c_body *body) {
  size_t starts[MAX_LINES], n_lines = 0;

  for (size_t i = 0; bytes[i]; i++)
    if (i == 0 || bytes[i - 1] == '\n')
      starts[n_lines++] = i;
  assert_int_equal(c_text_read(bytes, strlen(bytes), text), 0);
  return c_body_find(text, starts, n_lines, line, body);
}

/** The body of the function at a line; "": none. */
static const char *body_at(const char *bytes, uint32_t line) {
  static char out[256];
  struct c_text text;
  struct c_body body;

  out[0] = '\0';
  if (find(bytes, line, &text, &body)) {
    const size_t n = body.close + 1 - body.open;
    memcpy(out, bytes + body.open, n);
    out[n] = '\0';
  }
  c_text_release(&text);
  return out;
}

static void bodies_are_found(void **state) {
  (void)state;
  assert_string_equal(body_at("int f(int x) { return x; }\n", 1),
                      "{ return x; }");
  assert_string_equal(body_at("int f(\n  int x)\n{\n  if (x) {}\n}\n", 1),
                      "{\n  if (x) {}\n}");
  assert_string_equal(body_at("void f(void) { s = \"}\"; c = '}'; /* } */ }\n"
                              "int g;\n",
                              1),
                      "{ s = \"}\"; c = '}'; /* } */ }");
  assert_string_equal(
      body_at("auto f() const noexcept -> T { r(R\"(})\"); }\n", 1),
      "{ r(R\"(})\"); }");
  assert_string_equal(body_at("int f() { return 1'000; }\n", 1),
                      "{ return 1'000; }");
}

static void doubtful_bodies_are_not(void **state) {
  (void)state;
  assert_string_equal(body_at("DEFINE(f)\nstruct s { int x; };\n", 1), "");
  assert_string_equal(body_at("DEFINE(f)\nint a[] = { 1 };\n", 1), "");
  assert_string_equal(body_at("int f(int x);\nint a[] { 1 };\n", 1), "");
  assert_string_equal(body_at("int f(x) int x; { return x; }\n", 1), "");
  assert_string_equal(body_at("int f(int x) {\n#if A\n  if (x) {\n#else\n"
                              "  {{\n#endif\n  }\n}\n",
                              1),
                      "");
  assert_string_equal(body_at("int f(int x) {\n", 1), "");
  assert_string_equal(body_at("int f(int x) { }\n", 2), "");
}

static void branches_that_open_as_many_braces(void **state) {
  (void)state;
  assert_string_equal(body_at("int f(int x) {\n#if A\n  if (x) {\n#else\n"
                              "  {\n#endif\n  }\n}\n",
                              1),
                      "{\n#if A\n  if (x) {\n#else\n  {\n#endif\n  }\n}");
}

static void values_of_the_compiler(void **state) {
  struct c_text text;
  struct c_body body;

  (void)state;
  assert_true(find("int a;\nLIB_CONSTEXPR\nint f() { }\n", 3, &text, &body));
  assert_true(body.is_constant);
  c_text_release(&text);
  assert_true(find("auto x = [](int n) { return n; };\n", 1, &text, &body));
  assert_true(body.is_lambda);
  c_text_release(&text);
  assert_true(
      find("constexpr int a = 1;\nint f(int x[2]) { }\n", 2, &text, &body));
  assert_false(body.is_constant);
  assert_false(body.is_lambda);
  c_text_release(&text);
}

/** The effect of a change; in_body: is it in the first function's? */
static enum c_effect effect_of(const char *before, const char *after,
                               bool *in_body) {
  struct c_text old, new;
  struct c_body body;

  assert_true(find(before, 1, &old, &body));
  assert_int_equal(c_text_read(after, strlen(after), &new), 0);
  struct c_change change = {.old_end = old.n_bytes, .new_end = new.n_bytes};
  c_change_trim(&old, &new, &change);
  const enum c_effect effect = c_change_effect(&old, &new, &change);
  *in_body = c_body_has(&body, &old, &new, &change, false);
  c_text_release(&old);
  c_text_release(&new);
  return effect;
}

static void effects_of_changes(void **state) {
  static const char before[] = "int f(int x) { return x + 1; } // f\nint g;\n";
  static const struct {
    const char *after;
    enum c_effect effect;
    bool in_body;
  } cases[] = {
      {"int f(int x) { return x + 2; } // f\nint g;\n", C_LOCAL, true},
      {"int f(int x) { return x + 1; } // of f\nint g;\n", C_NO_EFFECT, false},
      {"int f(int x) { return x + 1; } // f\n\nint g;\n", C_NO_EFFECT, false},
      {"// top\nint f(int x) { return x + 1; } // f\nint g;\n", C_NO_EFFECT,
       false},
      {"int f(int x) { return /* x */ x + 1; } // f\nint g;\n", C_NO_EFFECT,
       false},
      {"int f(int x) { return x + 1; }\nint g;\n", C_NO_EFFECT, false},
      {"int f(int x) { return x + 1; } // f\nint g; // g\n", C_NO_EFFECT,
       false},
      {"int f(int x) { return x + 1; } /* f */\nint g;\n", C_NO_EFFECT, false},
      {"int f(int x) { return x // + 1; } // f\nint g;\n", C_ANY, true},
      {"int f(int x) { return \"x\" + 1; } // f\nint g;\n", C_LOCAL, true},
      {"int f(long x) { return x + 1; } // f\nint g;\n", C_LOCAL, false},
      {"int f(int x) { return x + 1; } // f\nint h;\n", C_LOCAL, false},
      {"int f(int x) { return 1; } int h() { return 1; } // f\nint g;\n",
       C_LOCAL, false},
      {"int f(int x) { { return x + 1; } // f\nint g;\n", C_ANY, true},
      {"int f(int x) { /* return x + 1; } // f\nint g;\n", C_ANY, true},
      {"int f(int x) { return x + 1; } // f \\\nint g;\n", C_ANY, false},
      {"#define x 2\nint f(int x) { return x + 1; } // f\nint g;\n", C_ANY,
       false},
  };

  (void)state;
  for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
    bool in_body;
    assert_int_equal(effect_of(before, cases[i].after, &in_body),
                     cases[i].effect);
    if (cases[i].effect == C_LOCAL)
      assert_int_equal(in_body, cases[i].in_body);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(bodies_are_found),
      cmocka_unit_test(doubtful_bodies_are_not),
      cmocka_unit_test(branches_that_open_as_many_braces),
      cmocka_unit_test(values_of_the_compiler),
      cmocka_unit_test(effects_of_changes),
  };

  return cmocka_run_group_tests(tests, NULL, NULL);
}

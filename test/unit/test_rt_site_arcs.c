/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Arcs from counts of nodes in the runtime: of direct and indirect calls, by
 * inlined copies and by bodies, and of calls from nowhere.
 */
#include "made_object.h"

#include "arcline/name_hash.h"

static void copies_add_up(void **state) {
  const struct unit unit = UNIT("\0f\0g\0main");
  const struct arcline_func *f =
      add_func(&unit, ARCLINE_FUNC_ARCS, "f", NULL, CALLS("g"));
  const struct arcline_func *g =
      add_func(&unit, ARCLINE_FUNC_ARCS, "g", NULL, NULL);
  const struct arcline_func *main =
      add_func(&unit, ARCLINE_FUNC_ARCS, "main", NULL, CALLS("f", "f"));

  (void)state;
  place(f, 0x100, 0);
  place(g, 0x200, 1);
  const struct arcline_body *body = add_body(main, 0x300, 2, 3);
  add_copy(body, main);
  add_copy(body, f);
  add_copy(body, g);
  add_addr(f, 0, 0x100);
  profile.cells[0] = 100; // f's own body
  profile.cells[1] = 103; // g's: from f there, and from 3 of the calls below
  profile.cells[2] = 1;
  profile.cells[3] = 5; // f in main
  profile.cells[4] = 2; // g in main
  solve();
  assert_int_equal(block(0x100), 105);
  assert_int_equal(arc(0x100, 0x200), 105); // all copies of f: at f's own
  assert_int_equal(arc(0x300, 0x100), 2);
  assert_int_equal(arc(0, 0x100), 103);
  assert_int_equal(arc(0, 0x300), 1);
  assert_int_equal(arc(0, 0x200), -1); // all 105 calls are known
  assert_int_equal(profile.n_arcs, 4);
  check_sorted();
}

/* Calls of a function that has no body left come from where its copies are. */
static void caller_without_body(void **state) {
  const struct unit unit = UNIT("\0f\0g\0a\0b");
  const struct arcline_func *f =
      add_func(&unit, ARCLINE_FUNC_ARCS, "f", NULL, CALLS("g"));
  const struct arcline_func *g =
      add_func(&unit, ARCLINE_FUNC_ARCS, "g", NULL, NULL);
  const struct arcline_func *a =
      add_func(&unit, ARCLINE_FUNC_ARCS, "a", NULL, CALLS("f"));
  const struct arcline_func *b =
      add_func(&unit, ARCLINE_FUNC_ARCS, "b", NULL, CALLS("f"));

  (void)state;
  place(g, 0x100, 0);
  const struct arcline_body *in_a = add_body(a, 0x200, 1, 2);
  add_copy(in_a, a);
  add_copy(in_a, f);
  const struct arcline_body *in_b = add_body(b, 0x300, 3, 2);
  add_copy(in_b, b);
  add_copy(in_b, f);
  add_addr(f, 0, 0x208); // does not count: it is the code of one of many
  for (size_t i = 0; i < 5; i++)
    profile.cells[i] = (const uint64_t[]){11, 4, 4, 7, 7}[i];
  solve();
  assert_int_equal(arc(0x200, 0x100), 4);
  assert_int_equal(arc(0x300, 0x100), 7);
  assert_int_equal(arc(0, 0x100), -1);
  assert_int_equal(block(0x208), 11);
  assert_int_equal(profile.n_arcs, 4); // and those to a and b from nowhere
}

/* The same in the body of a function that is not instrumented itself. */
static void caller_in_body_without_record(void **state) {
  const struct unit unit = UNIT("\0f\0g");
  const struct arcline_func *f =
      add_func(&unit, ARCLINE_FUNC_ARCS, "f", NULL, CALLS("g", ""));
  const struct arcline_func *g =
      add_func(&unit, ARCLINE_FUNC_ARCS, "g", NULL, NULL);

  (void)state;
  place(g, 0x100, 0);
  const struct arcline_body *body = add_body(NULL, 0x200, 1, 1);
  add_site(add_copy(body, f), 1, 0x200);
  profile.cells[0] = 5;
  profile.cells[1] = 4;
  solve();
  assert_int_equal(arc(0x200, 0x100), 4);
  assert_int_equal(arc(0, 0x100), 1);
  assert_int_equal(arc(0x200, 0x200), 4); // as any function without a record
  assert_int_equal(profile.n_arcs, 3);
}

/* A unit shortens names of its own functions; other units, which call them,
   have the whole names. */
static void short_names_are_the_same_names(void **state) {
  // Of the hash of "function_of_one".
  char strings[] = "\0\1..........\0main";
  uint64_t hash = arcline_name_hash("function_of_one");
  for (unsigned i = 0; i < 10; i++, hash >>= 7)
    strings[2 + i] = (char)((hash & 0x7f) | 0x80);
  const struct unit one = make_unit(strings, sizeof(strings));
  const struct unit other = UNIT("\0caller\0function_of_one\0function_of_two");
  const struct arcline_func *f =
      add_func(&one, ARCLINE_FUNC_ARCS, one.strings + 1, NULL, NULL);
  const struct arcline_func *main =
      add_func(&one, ARCLINE_FUNC_ARCS, "main", NULL, CALLS(one.strings + 1));
  const struct arcline_func *caller =
      add_func(&other, ARCLINE_FUNC_ARCS, "caller", NULL,
               CALLS("function_of_one", "function_of_two"));

  (void)state;
  place(f, 0x100, 0);
  place(main, 0x200, 1);
  place(caller, 0x300, 2);
  for (size_t i = 0; i < 3; i++)
    profile.cells[i] = (const uint64_t[]){9, 2, 7}[i];
  solve();
  assert_int_equal(arc(0x200, 0x100), 2);
  assert_int_equal(arc(0x300, 0x100), 7);
  assert_int_equal(arc(0, 0x100), -1);
}

static void arc_starts_at_the_calls_node(void **state) {
  const struct unit unit = UNIT("\0f\0g");
  struct arcline_func *f = begin_func(&unit, 0, 1);
  const struct arcline_func *g =
      (point(&f->graph, mem.data + n_data),
       f->graph_bytes =
           NUMBERS(1, 2, 3, 0, TO_NEXT | COUNTED | ARCLINE_EDGE_ENTRY,
                   TO_NEXT | NEXT | ARCLINE_EDGE_RETURN_TO,
                   TO_EXIT | NEXT | ARCLINE_EDGE_EXIT, 2, 0, 3, 1, 3),
       add_func(&unit, ARCLINE_FUNC_ARCS, "g", NULL, NULL));

  (void)state;
  place(f, 0x100, 0);
  place(g, 0x200, 1);
  add_addr(f, 1, 0); // deleted
  add_addr(f, 1, 0x140);
  add_addr(f, 1, 0x180);
  profile.cells[0] = 6;
  profile.cells[1] = 12;
  solve();
  assert_int_equal(arc(0x100, 0x200), 6); // node 0 has no address
  assert_int_equal(arc(0x140, 0x200), 6);
  assert_int_equal(block(0x180), -1);
}

static void callee_is_told_by_name(void **state) {
  const struct unit one = UNIT("\0a\0same\0alias\0far\0puts\0counted\0gone");
  const struct unit two = UNIT("\0same\0far\0b\0alias");
  const unsigned local = ARCLINE_FUNC_ARCS | ARCLINE_FUNC_LOCAL;
  const struct arcline_func *same_two =
      add_func(&two, local, "same", NULL, NULL);
  const struct arcline_func *same_one =
      add_func(&one, local, "same", NULL, NULL);
  const struct arcline_func *far =
      add_func(&two, ARCLINE_FUNC_ARCS, "far", "alias", NULL);
  const struct arcline_func *counted = add_func(&one, 0, "counted", NULL, NULL);
  const struct arcline_func *a =
      add_func(&one, ARCLINE_FUNC_ARCS, "a", NULL,
               CALLS("same", "alias", "far", "puts", "counted", "gone", "far"));
  const struct arcline_func *b =
      add_func(&two, ARCLINE_FUNC_ARCS, "b", NULL, CALLS("same"));

  (void)state;
  add_func(&one, ARCLINE_FUNC_ARCS, "gone", NULL, NULL); // no body
  place(same_two, 0x100, 0);
  place(same_one, 0x200, 1);
  place(far, 0x300, 2);
  place(counted, 0x400, 3);
  place(a, 0x500, 4);
  place(b, 0x600, 5);
  for (size_t i = 0; i < 6; i++)
    profile.cells[i] = (const uint64_t[]){5, 2, 6, 2, 2, 5}[i];
  solve();
  assert_int_equal(arc(0x500, 0x200), 2);
  assert_int_equal(arc(0x600, 0x100), 5);
  assert_int_equal(arc(0x500, 0x300), 6); // by alias, and twice by name
  // The rest: those to a and b from nowhere, and one to another object.
  const uint64_t puts = (uint64_t)((const uint8_t *)one.strings +
                                   string(&one, "puts") - object.image.data);
  assert_int_equal(profile.n_arcs, 6);
  assert_int_equal(
      arc(0x500, (SOLVE_OUTSIDE | SOLVE_OUTSIDE_NAMED | puts) - TEXT_VADDR), 2);
}

/* A local function is invisible to another unit. */
static void local_name_of_another_unit(void **state) {
  const struct unit one = UNIT("\0a\0hidden");
  const struct unit two = UNIT("\0hidden");
  const struct arcline_func *hidden = add_func(
      &two, ARCLINE_FUNC_ARCS | ARCLINE_FUNC_LOCAL, "hidden", NULL, NULL);
  const struct arcline_func *a =
      add_func(&one, ARCLINE_FUNC_ARCS, "a", NULL, CALLS("hidden"));

  (void)state;
  place(hidden, 0x100, 0);
  place(a, 0x200, 1);
  profile.cells[0] = 1;
  profile.cells[1] = 4;
  solve();
  assert_int_equal(arc(0x200, 0x100), -1);
  assert_int_equal(arc(0, 0x100), 1);
}

static void indirect_calls(void **state) {
  const struct unit unit = UNIT("\0a\0f\0g\0counted");
  const struct arcline_func *f =
      add_func(&unit, ARCLINE_FUNC_ARCS, "f", NULL, NULL);
  const struct arcline_func *g =
      add_func(&unit, ARCLINE_FUNC_ARCS, "g", NULL, NULL);
  const struct arcline_func *counted =
      add_func(&unit, 0, "counted", NULL, NULL);
  const struct arcline_func *a =
      add_func(&unit, ARCLINE_FUNC_ARCS, "a", NULL, CALLS("", "f", "", ""));

  (void)state;
  place(f, 0x100, 0);
  place(g, 0x200, 1);
  place(counted, 0x300, 2);
  const struct made_copy copy = place(a, 0x400, 3);
  add_site(copy, 3, 0); // recorded as never called
  const struct arcline_site *first = add_site(copy, 0, 0x100);
  const struct arcline_site *second = add_site(copy, 2, 0x300);
  for (size_t i = 0; i < 4; i++)
    profile.cells[i] = (const uint64_t[]){193, 7, 90, 100}[i];
  add_arc(0, TEXT_VADDR + 0x300, 1); // by mcount
  add_arc(TEXT_VADDR + 0x410, TEXT_VADDR + 0x300, 92);
  add_arc(vaddr_of(first), 0, 2); // outside of the object
  add_arc(vaddr_of(first), TEXT_VADDR + 0x200, 4);
  add_arc(vaddr_of(first), TEXT_VADDR + 0x300, 1); // counted by mcount as well
  add_arc(vaddr_of(second), TEXT_VADDR + 0x200, 3);
  add_arc(vaddr_of(second), TEXT_VADDR + 0x800, 6); // not instrumented
  solve();
  assert_int_equal(arc(0x400, 0x100), 100 + 93);
  assert_int_equal(arc(0x400, 0x200), 4 + 3);
  assert_int_equal(arc(0x400, 0x800), 6);
  assert_int_equal(arc(0x400, 0x300), -1);
  assert_int_equal(arc(0x410, 0x300), 92);
  assert_int_equal(arc(0, 0x300), 1);
  assert_int_equal(arc(0, 0x400), 100);
  assert_int_equal(profile.n_arcs, 6);
  check_sorted();
}

/* Each copy of a function has sites of its own. */
static void sites_of_copies(void **state) {
  const struct unit unit = UNIT("\0a\0f\0g\0h");
  const struct arcline_func *f =
      add_func(&unit, ARCLINE_FUNC_ARCS, "f", NULL, NULL);
  const struct arcline_func *g =
      add_func(&unit, ARCLINE_FUNC_ARCS, "g", NULL, NULL);
  const struct arcline_func *a =
      add_func(&unit, ARCLINE_FUNC_ARCS, "a", NULL, CALLS(""));
  const struct arcline_func *h =
      add_func(&unit, ARCLINE_FUNC_ARCS, "h", NULL, CALLS("a"));

  (void)state;
  place(f, 0x100, 0);
  place(g, 0x200, 1);
  const struct made_copy own = place(a, 0x300, 2);
  const struct arcline_body *body = add_body(h, 0x400, 3, 2);
  add_copy(body, h);
  const struct made_copy inlined = add_copy(body, a);
  const struct arcline_site *site = add_site(inlined, 0, 0x100);
  add_site(own, 0, 0x200);
  for (size_t i = 0; i < 5; i++)
    profile.cells[i] = (const uint64_t[]){10, 23, 20, 13, 13}[i];
  add_arc(vaddr_of(site), TEXT_VADDR + 0x200, 3);
  solve();
  assert_int_equal(arc(0x300, 0x100), 10);
  assert_int_equal(arc(0x300, 0x200), 23);
  assert_int_equal(arc(0, 0x100), -1);
  assert_int_equal(arc(0, 0x200), -1);
  assert_int_equal(arc(0x400, 0x300), 13);
  assert_int_equal(arc(0, 0x300), 20);
}

static void more_other_calls_than_all_is_none(void **state) {
  const struct unit unit = UNIT("\0a\0f");
  const struct arcline_func *f =
      add_func(&unit, ARCLINE_FUNC_ARCS, "f", NULL, NULL);
  const struct arcline_func *a =
      add_func(&unit, ARCLINE_FUNC_ARCS, "a", NULL, CALLS(""));

  (void)state;
  place(f, 0x100, 0);
  const struct arcline_site *site = add_site(place(a, 0x200, 1), 0, 0x100);
  profile.cells[1] = 2; // read before the call was counted
  add_arc(vaddr_of(site), TEXT_VADDR + 0x800, 3);
  solve();
  assert_int_equal(arc(0x200, 0x100), -1);
  assert_int_equal(arc(0x200, 0x800), 3);
}

/* An object is unloaded and loaded again, and another callee is the first one:
   earlier counts keep their callee. */
static void first_callee_is_fixed(void **state) {
  const struct unit unit = UNIT("\0a\0f\0g");
  const struct arcline_func *f =
      add_func(&unit, ARCLINE_FUNC_ARCS, "f", NULL, NULL);
  const struct arcline_func *g =
      add_func(&unit, ARCLINE_FUNC_ARCS, "g", NULL, NULL);
  const struct arcline_func *a =
      add_func(&unit, ARCLINE_FUNC_ARCS, "a", NULL, CALLS("", ""));

  (void)state;
  place(f, 0x100, 0);
  place(g, 0x200, 1);
  const struct made_copy copy = place(a, 0x300, 2);
  struct arcline_site *site = add_site(copy, 0, 0x100);
  struct arcline_site *outside = add_site(copy, 1, 0);
  outside->callee = 0x10; // in no instrumented text
  add_arc(vaddr_of(site), TEXT_VADDR + 0x200, 4);
  profile.cells[2] = 10;
  encode_bodies();
  assert_int_equal(rt_profile_fix_sites(&object, &profile), 0);
  assert_int_equal(profile.n_arcs, 3);
  site->callee = (uintptr_t)mem.text + 0x200;
  outside->callee = (uintptr_t)mem.text + 0x200;
  profile.cells[2] += 5;
  solve();
  assert_int_equal(arc(0x300, 0x100), 6);
  assert_int_equal(arc(0x300, 0x200), 4 + 5 + 5);
}

int main(void) {
#define TEST(f) cmocka_unit_test_setup_teardown(f, clear, release)
  const struct CMUnitTest tests[] = {
      TEST(copies_add_up),
      TEST(caller_without_body),
      TEST(caller_in_body_without_record),
      TEST(arc_starts_at_the_calls_node),
      TEST(callee_is_told_by_name),
      TEST(short_names_are_the_same_names),
      TEST(local_name_of_another_unit),
      TEST(indirect_calls),
      TEST(sites_of_copies),
      TEST(more_other_calls_than_all_is_none),
      TEST(first_callee_is_fixed),
  };

  return cmocka_run_group_tests(tests, NULL, NULL);
}

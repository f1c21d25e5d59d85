/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The table of words by thread pointer: one thread, and many at once. */
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "counting/words.h"

enum { THREADS = 4, POINTERS = 3000 };

/* Thread pointers have equal lower bits. */
static uintptr_t pointer(unsigned i) { return 0x7f0000000740u + i * 0x801000u; }

static void test_each_thread_has_a_word(void **state) {
  struct rt_words *words = NULL;

  (void)state;
  assert_null(rt_words_find(words, pointer(0)));
  for (unsigned i = 0; i < POINTERS; i++) {
    intptr_t *word = rt_words_get(&words, pointer(i));
    assert_non_null(word);
    assert_int_equal(*word, 0);
    *word = i + 1;
  }
  for (unsigned i = 0; i < POINTERS; i++) {
    assert_int_equal(*rt_words_find(words, pointer(i)), i + 1);
    assert_ptr_equal(rt_words_get(&words, pointer(i)),
                     rt_words_find(words, pointer(i)));
  }
  assert_null(rt_words_find(words, pointer(POINTERS)));
  rt_words_release(&words);
  assert_null(words);
}

static void test_words_are_used_again(void **state) {
  struct rt_words *words = NULL;
  intptr_t *first = rt_words_get(&words, pointer(0));

  (void)state;
  for (unsigned i = 1; i < POINTERS; i++) {
    intptr_t *word = rt_words_get(&words, pointer(i));
    *word = 1;
    rt_words_free(word);
    assert_null(rt_words_find(words, pointer(i)));
  }
  assert_ptr_equal(rt_words_find(words, pointer(0)), first);
  rt_words_release(&words);
}

static struct rt_words *shared;

static void *use(void *number) {
  const unsigned first = *(const unsigned *)number;

  for (unsigned round = 0; round < 20; round++)
    for (unsigned i = first; i < POINTERS; i += THREADS) {
      intptr_t *word = rt_words_get(&shared, pointer(i));
      if (!word || *word != 0)
        return number;
      *word = i + 1;
      if (rt_words_get(&shared, pointer(i)) != word || *word != i + 1)
        return number;
      if (round % 2)
        rt_words_free(word);
      else
        *word = 0;
    }
  return NULL;
}

static void test_threads_do_not_disturb_one_another(void **state) {
  pthread_t threads[THREADS];
  unsigned numbers[THREADS];
  bool is_wrong = false;

  (void)state;
  for (unsigned i = 0; i < THREADS; i++) {
    numbers[i] = i;
    assert_int_equal(pthread_create(&threads[i], NULL, use, &numbers[i]), 0);
  }
  for (unsigned i = 0; i < THREADS; i++) {
    void *wrong;
    assert_int_equal(pthread_join(threads[i], &wrong), 0);
    is_wrong |= wrong != NULL;
  }
  assert_false(is_wrong);
  rt_words_release(&shared);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_each_thread_has_a_word),
      cmocka_unit_test(test_words_are_used_again),
      cmocka_unit_test(test_threads_do_not_disturb_one_another),
  };

  return cmocka_run_group_tests(tests, NULL, NULL);
}

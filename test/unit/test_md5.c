/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* MD5: the digests of RFC 1321, A.5, and texts around the length of a block. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/md5.h"

static void digests_are_those_of_the_specification(void **state) {
  static const struct {
    const char *text, *digest;
  } cases[] = {
      {"", "d41d8cd98f00b204e9800998ecf8427e"},
      {"a", "0cc175b9c0f1b6a831c399e269772661"},
      {"abc", "900150983cd24fb0d6963f7d28e17f72"},
      {"message digest", "f96b697d7cb7938d525a2f31aaf161d0"},
      {"abcdefghijklmnopqrstuvwxyz", "c3fcd3d76192e4007dfb496cca67e13b"},
      {"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789",
       "d174ab98d277d9f5a5611c2c9f419d9f"},
      {"1234567890123456789012345678901234567890123456789012345678901234567890"
       "1234567890",
       "57edf4a22be3c955ac49da2e2107b67a"},
  };
  char out[MD5_TEXT_BYTES];

  (void)state;
  for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
    md5_text(cases[i].text, strlen(cases[i].text), out);
    assert_string_equal(out, cases[i].digest);
  }
}

static void the_length_has_a_block_of_its_own_if_needed(void **state) {
  static const struct {
    size_t n;
    const char *digest;
  } cases[] = {
      {55, "ef1772b6dff9a122358552954ad0df65"},
      {56, "3b0c8ac703f828b04c6c197006d17218"},
      {63, "b06521f39153d618550606be297466d5"},
      {64, "014842d480b571495a4a0363793f7367"},
      {65, "c743a45e0d2e6a95cb859adae0248435"},
  };
  char text[65], out[MD5_TEXT_BYTES];

  (void)state;
  memset(text, 'a', sizeof(text));
  for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
    md5_text(text, cases[i].n, out);
    assert_string_equal(out, cases[i].digest);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(digests_are_those_of_the_specification),
      cmocka_unit_test(the_length_has_a_block_of_its_own_if_needed),
  };

  return cmocka_run_group_tests(tests, NULL, NULL);
}

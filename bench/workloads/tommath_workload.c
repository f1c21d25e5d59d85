/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * A deterministic workload for LibTomMath: primes, keys of 256 bits, and
 * numbers of some thousand digits multiplied, divided, rooted and printed.
 *
 *   tommath_workload [SCALE]    SCALE rounds, with new numbers in each
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "made_data.h"
#include "tommath.h"

enum { KEY_BYTES = 16, LARGE_BYTES = 3000, TEXT_BYTES = 3 * LARGE_BYTES };

static uint32_t random_state = 20261125;
static uint64_t check;

static mp_err make_bytes(void *out, size_t n) {
  for (size_t i = 0; i < n; i++)
    ((uint8_t *)out)[i] = (uint8_t)next_random(&random_state, 256);
  return MP_OKAY;
}

static mp_err make_number(mp_int *out, size_t bytes) {
  uint8_t data[LARGE_BYTES];

  make_bytes(data, bytes);
  data[0] |= 0x80;
  return mp_from_ubin(out, data, bytes);
}

static void add(const mp_int *number) {
  check = check * 31 + mp_get_mag_u64(number) + (uint64_t)mp_count_bits(number);
}

/** Makes a key, and checks that it decrypts what it has encrypted. */
static int use_key(void) {
  mp_int p, q, n, phi, e, d, text, secret;
  int failed = mp_init_multi(&p, &q, &n, &phi, &e, &d, &text, &secret, NULL);

  failed |= make_number(&p, KEY_BYTES) | make_number(&q, KEY_BYTES);
  failed |= mp_prime_next_prime(&p, 8, 0) | mp_prime_next_prime(&q, 8, 1);
  failed |= mp_mul(&p, &q, &n) | mp_decr(&p) | mp_decr(&q);
  failed |= mp_lcm(&p, &q, &phi);
  mp_set_u32(&e, 65537);
  failed |= mp_invmod(&e, &phi, &d);
  for (int i = 0; i < 4; i++) {
    failed |= make_number(&text, KEY_BYTES);
    failed |= mp_exptmod(&text, &e, &n, &secret);
    add(&secret);
    failed |= mp_exptmod(&secret, &d, &n, &secret);
    failed |= mp_cmp(&text, &secret) != MP_EQ;
  }
  /* A square root modulo a prime. */
  failed |= mp_incr(&p) | mp_sqrmod(&text, &p, &secret);
  failed |= mp_sqrtmod_prime(&secret, &p, &d) | mp_sqrmod(&d, &p, &phi);
  failed |= mp_cmp(&phi, &secret) != MP_EQ;
  mp_clear_multi(&p, &q, &n, &phi, &e, &d, &text, &secret, NULL);
  return failed;
}

/** Numbers of that many bytes, by operations and their inverses. */
static int use_large(size_t bytes) {
  static char text[TEXT_BYTES];
  mp_int a, b, c, d, e;
  mp_bool is_square;
  size_t n;
  int failed = mp_init_multi(&a, &b, &c, &d, &e, NULL);

  failed |= make_number(&a, bytes) | make_number(&b, bytes / 2 + 1);
  failed |= mp_mul(&a, &b, &c) | mp_div(&c, &b, &d, &e);
  failed |= mp_cmp(&a, &d) != MP_EQ || !mp_iszero(&e);
  add(&c);
  failed |= mp_sqr(&a, &c) | mp_sqrt(&c, &d) | mp_cmp(&a, &d);
  failed |= mp_is_square(&c, &is_square) | !is_square;
  failed |= mp_root_u32(&b, 5, &d);
  add(&d);
  failed |= mp_to_radix(&b, text, sizeof(text), &n, 10);
  failed |= mp_read_radix(&d, text, 10) | mp_cmp(&b, &d);
  failed |= mp_to_radix(&a, text, sizeof(text), &n, 16);
  failed |= mp_read_radix(&d, text, 16) | mp_cmp(&a, &d);
  for (size_t i = 0; i < n; i++)
    check = check * 31 + (uint8_t)text[i];
  failed |= mp_xor(&a, &b, &c) | mp_and(&a, &b, &d) | mp_add(&c, &d, &c);
  failed |= mp_or(&a, &b, &d) | mp_cmp(&c, &d);
  failed |= mp_mul_2d(&a, 77, &c) | mp_sub(&c, &b, &c) | mp_neg(&c, &c);
  failed |= mp_signed_rsh(&c, 13, &d);
  add(&d);
  failed |= mp_mod_2d(&a, 900, &c) | mp_mod_2d(&b, 800, &d);
  failed |= mp_gcd(&c, &d, &e);
  add(&e);
  mp_clear_multi(&a, &b, &c, &d, &e, NULL);
  return failed;
}

/** Factorials and powers. */
static int use_small(uint32_t n) {
  mp_int a, b;
  int failed = mp_init_multi(&a, &b, NULL);

  mp_set(&a, 1);
  for (uint32_t i = 2; i <= n; i++)
    failed |= mp_mul_d(&a, i, &a);
  add(&a);
  for (uint32_t i = 2; i <= n; i++)
    failed |= mp_div_d(&a, i, &a, NULL);
  failed |= mp_cmp_d(&a, 1) != MP_EQ;
  mp_set_u32(&b, n);
  failed |= mp_expt_u32(&b, n, &a);
  add(&a);
  mp_clear_multi(&a, &b, NULL);
  return failed;
}

int main(int argc, char **argv) {
  const int scale = argc > 1 ? atoi(argv[1]) : 1;

  mp_rand_source(make_bytes);
  for (int i = 0; i < scale; i++)
    if (use_key() ||
        use_large(200 + next_random(&random_state, LARGE_BYTES - 200)) ||
        use_small(200 + next_random(&random_state, 100)))
      return 1;
  printf("checksum %016llx\n", (unsigned long long)check);
  return 0;
}

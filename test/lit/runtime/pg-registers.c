/* mcount and __fentry__ preserve all registers, including vector registers with
   their upper halves, for any alignment of the stack: in a thread's first call,
   which makes a table; in the first call of an arc; and in later ones. */
// REQUIRES: x86_64
// RUN: %cc -O2 %s -L%libdir -larcline -lpthread \
// RUN:   -Wl,--wrap=__arcline_rt_arcs_create -o %t && %t
// RUN: %cc -O2 -Wl,-z,lazy %s -L%libdir -larcline -lpthread \
// RUN:   -Wl,--wrap=__arcline_rt_arcs_create -o %t && %t
// RUN: %python %S/Inputs/gmon.py llvm-nm %t gmon.out | FileCheck %s
// CHECK: arc caller probe_{{avx|sse}} 2000{{$}}
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { N_CALLS = 1000, N_GENERAL = 14 };

/* rax rcx rdx rbx rsi rdi r8 to r15, and ymm0 to ymm15 */
struct registers {
  uint64_t general[N_GENERAL];
  uint64_t vectors[16][4];
};

/* Loads the registers, calls entry with a frame of caller's, and stores what is
   then in them. Uses the stack shifted by 8 if is_shifted. */
void probe_sse(void (*entry)(void), struct registers *registers,
               uint64_t is_shifted);
void probe_avx(void (*entry)(void), struct registers *registers,
               uint64_t is_shifted);
void mcount(void);
void __fentry__(void);

#define ALL(do)                                                                \
  do                                                                           \
  ("0") do("1") do("2") do("3") do("4") do("5") do("6") do("7") do("8") do(    \
      "9") do("10") do("11") do("12") do("13") do("14") do("15")
#define LOAD_SSE(n) "movdqu 112+32*" n "(%rsi), %xmm" n "\n"
#define STORE_SSE(n) "movdqu %xmm" n ", 112+32*" n "(%rbx)\n"
#define LOAD_AVX(n) "vmovdqu 112+32*" n "(%rsi), %ymm" n "\n"
#define STORE_AVX(n) "vmovdqu %ymm" n ", 112+32*" n "(%rbx)\n"

/* At the call, 8(%rbp) and 0(%rsp) are an address in caller. */
#define PROBE(name, load, store)                                               \
  ".globl " name "\n.type " name ", @function\n" name ":\n"                    \
  "pushq %rbp\npushq %rbx\npushq %r12\npushq %r13\npushq %r14\npushq %r15\n"   \
  "subq $64, %rsp\n"                                                           \
  "movq %rsi, 56(%rsp)\n"                                                      \
  "movq %rdi, 48(%rsp)\n"                                                      \
  "leaq 24(%rsp), %rbp\n"                                                      \
  "leaq caller+1(%rip), %rax\n"                                                \
  "movq %rax, 32(%rsp)\n"                                                      \
  "shlq $3, %rdx\n"                                                            \
  "subq %rdx, %rsp\n"                                                          \
  "movq %rax, 0(%rsp)\n" ALL(                                                  \
      load) "movq 0(%rsi), %rax\nmovq 8(%rsi), %rcx\nmovq 16(%rsi), %rdx\n"    \
            "movq 24(%rsi), %rbx\nmovq 40(%rsi), %rdi\nmovq 48(%rsi), %r8\n"   \
            "movq 56(%rsi), %r9\nmovq 64(%rsi), %r10\nmovq 72(%rsi), %r11\n"   \
            "movq 80(%rsi), %r12\nmovq 88(%rsi), %r13\nmovq 96(%rsi), %r14\n"  \
            "movq 104(%rsi), %r15\nmovq 32(%rsi), %rsi\n"                      \
            "call *24(%rbp)\n"                                                 \
            "leaq -24(%rbp), %rsp\n"                                           \
            "movq %rbx, 40(%rsp)\n"                                            \
            "movq 56(%rsp), %rbx\n"                                            \
            "movq %rax, 0(%rbx)\nmovq %rcx, 8(%rbx)\nmovq %rdx, 16(%rbx)\n"    \
            "movq %rsi, 32(%rbx)\nmovq %rdi, 40(%rbx)\nmovq %r8, 48(%rbx)\n"   \
            "movq %r9, 56(%rbx)\nmovq %r10, 64(%rbx)\nmovq %r11, 72(%rbx)\n"   \
            "movq %r12, 80(%rbx)\nmovq %r13, 88(%rbx)\nmovq %r14, 96(%rbx)\n"  \
            "movq %r15, 104(%rbx)\n"                                           \
            "movq 40(%rsp), %rax\nmovq %rax, 24(%rbx)\n" ALL(                  \
                store) "addq $64, %rsp\n"                                      \
                       "popq %r15\npopq %r14\npopq %r13\npopq %r12\npopq "     \
                       "%rbx\npopq %rbp\nret\n"

__asm__(".text\n.type caller, @function\ncaller: nop\nnop\n" PROBE("probe_sse",
                                                                   LOAD_SSE,
                                                                   STORE_SSE)
            PROBE("probe_avx", LOAD_AVX,
                  STORE_AVX) ".section .note.GNU-stack\n.text\n");

static int n_joins;

void *__real___arcline_rt_arcs_create(size_t a, const void *b, const void *c);
void *__wrap___arcline_rt_arcs_create(size_t a, const void *b, const void *c);

/* Uses vector registers, as libc may. */
void *__wrap___arcline_rt_arcs_create(size_t a, const void *b, const void *c) {
  if (__builtin_cpu_supports("avx"))
    __asm__ volatile("vzeroall" : : : "memory");
  else
    __asm__ volatile("pxor %%xmm0, %%xmm0" : : : "xmm0");
  __atomic_fetch_add(&n_joins, 1, __ATOMIC_RELAXED);
  return __real___arcline_rt_arcs_create(a, b, c);
}

static void *work(void *arg) {
  const int is_avx = __builtin_cpu_supports("avx");
  struct registers before;
  struct registers after;
  uintptr_t n_wrong = 0;

  for (size_t i = 0; i < sizeof(before) / 8; i++)
    ((uint64_t *)&before)[i] = 0x9e3779b97f4a7c15 * (i + 1);
  for (int i = 0; i < N_CALLS; i++) {
    after = before;
    (is_avx ? probe_avx : probe_sse)(arg ? mcount : __fentry__, &after, i & 1);
    n_wrong += memcmp(&before, &after, sizeof(before)) != 0;
  }
  return (void *)n_wrong;
}

int main(void) {
  uintptr_t n_wrong = 0;

  for (int i = 0; i < 2; i++) {
    pthread_t thread;
    void *result;
    pthread_create(&thread, NULL, work, i ? &thread : NULL);
    pthread_join(thread, &result);
    n_wrong += (uintptr_t)result;
  }
  printf("%d joined, %lu wrong\n", n_joins, (unsigned long)n_wrong);
  return n_wrong || n_joins < 1;
}

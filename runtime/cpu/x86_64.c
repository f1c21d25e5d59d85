/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Implements the port to x86-64; see cpu.h. Called by mcount, hence compiled
   without vector registers. Only mcount is in assembler files: elsewhere the
   compiler adds the note that the code supports indirect branch tracking. */
#include <cpuid.h>

#include "cpu/cpu.h"

RT_CPU_FUNCTION("rt_cpu_call_on_stack",
                "push %rbp\n.cfi_def_cfa_offset 16\n.cfi_offset %rbp, -16\n"
                "mov %rsp, %rbp\n.cfi_def_cfa_register %rbp\n"
                "mov %rdi, %rsp\nmov %rdx, %rdi\ncall *%rsi\n"
                "mov %rbp, %rsp\npop %rbp\n.cfi_def_cfa %rsp, 8\nret\n");

RT_CPU_FUNCTION("rt_cpu_start_thread",
                "mov %rdx, %r10\n"              /* address of the id to clear */
                "mov %r8, %r9\nmov %rcx, %r8\n" /* kept by the call */
                "mov $56, %eax\nsyscall\n"      /* clone */
                "test %rax, %rax\njz 1f\nret\n"
                "1:\n.cfi_undefined %rip\nxor %ebp, %ebp\n"
                "mov %r9, %rdi\ncall *%r8\n"
                "mov $60, %eax\nxor %edi, %edi\nsyscall\nud2\n"); /* exit */

/* One byte each, or two with a prefix. */
static size_t push_bytes(const uint8_t *code) {
  if ((code[0] & 0xf8) == 0x50)
    return 1;
  return code[0] == 0x41 && (code[1] & 0xf8) == 0x50 ? 2 : 0;
}

/* push %rbp; mov %rsp, %rbp; pushes; sub $n, %rsp. */
int64_t rt_cpu_frame_bytes(const uint8_t *code) {
  const uint8_t *const end = code + RT_CPU_PROLOGUE_BYTES - 7;
  int64_t bytes = 0;

  if (code[0] == 0xf3 && code[1] == 0x0f && code[2] == 0x1e && code[3] == 0xfa)
    code += 4; // endbr64
  if (code[0] != 0x55 || code[1] != 0x48 ||
      !((code[2] == 0x89 && code[3] == 0xe5) ||
        (code[2] == 0x8b && code[3] == 0xec)))
    return -1;
  for (code += 4; code < end && push_bytes(code); bytes += 8)
    code += push_bytes(code);
  if (code[0] == 0x48 && code[1] == 0x83 && code[2] == 0xec)
    bytes += (int8_t)code[3];
  else if (code[0] == 0x48 && code[1] == 0x81 && code[2] == 0xec)
    bytes += (int64_t)((uint32_t)code[3] | (uint32_t)code[4] << 8 |
                       (uint32_t)code[5] << 16 | (uint32_t)code[6] << 24);
  return bytes;
}

/* Unwinders recognise these two instructions, and gdb this name; the nop keeps
   the address before them out of all functions. */
__asm__(".pushsection .text\n.hidden rt_cpu_sigaction_return\n"
        ".globl rt_cpu_sigaction_return\n"
        ".type rt_cpu_sigaction_return, %function\n.p2align 4\nnop\n"
        "rt_cpu_sigaction_return:\nmov $15, %rax\nsyscall\n"
        ".size rt_cpu_sigaction_return, . - rt_cpu_sigaction_return\n"
        ".popsection\n");

/* Source: the kernel's arch/x86/include/uapi/asm: prctl.h, hwcap2.h. */
enum { ARCH_SET_GS = 0x1001, HWCAP2_FSGSBASE = 1 << 1 };
enum { CPUID_FEATURES = 7, CPUID_FSGSBASE = 1 << 0 };

static unsigned long capabilities; /* AT_HWCAP2 */

void rt_cpu_init(unsigned long hwcap2) { capabilities = hwcap2; }

/* An emulator may report the kernel's answer about another processor. */
bool rt_cpu_has_segment_instruction(void) {
  static enum { UNKNOWN, ABSENT, PRESENT } state;
  unsigned a, b, c, d;

  if (__atomic_load_n(&state, __ATOMIC_ACQUIRE) == UNKNOWN)
    __atomic_store_n(
        &state,
        capabilities & HWCAP2_FSGSBASE &&
                __get_cpuid_count(CPUID_FEATURES, 0, &a, &b, &c, &d) &&
                b & CPUID_FSGSBASE
            ? PRESENT
            : ABSENT,
        __ATOMIC_RELEASE);
  return __atomic_load_n(&state, __ATOMIC_ACQUIRE) == PRESENT;
}

bool rt_cpu_set_segment(intptr_t base, rt_cpu_sys_fn *sys) {
  // A filter of system calls may end a program that makes an unexpected one.
  if (rt_cpu_has_segment_instruction()) {
    __asm__ volatile("wrgsbase %0" : : "r"(base) : "memory");
    return true;
  }
  return sys(SYS_arch_prctl, ARCH_SET_GS, base, 0, 0, 0) == 0;
}

enum { SSE_AVX_AVX512 = 0xe6 }; /* bits of the state components */

static bool has_xsave(void) {
  static uint8_t answer; /* 0: not read yet; 1: no; 2: yes */
  unsigned a, b, c = 0, d;

  if (!answer)
    answer = __get_cpuid(1, &a, &b, &c, &d) && c & bit_OSXSAVE ? 2 : 1;
  return answer == 2;
}

void rt_cpu_call_saving(void *state, void (*function)(void)) {
  if (has_xsave()) {
    __asm__ volatile("xsave (%0)"
                     :
                     : "r"(state), "a"(SSE_AVX_AVX512), "d"(0)
                     : "memory");
    function();
    __asm__ volatile("xrstor (%0)"
                     :
                     : "r"(state), "a"(SSE_AVX_AVX512), "d"(0)
                     : "memory");
  } else {
    __asm__ volatile("fxsave (%0)" : : "r"(state) : "memory");
    function();
    __asm__ volatile("fxrstor (%0)" : : "r"(state) : "memory");
  }
}

/* mov $15, %rax; syscall */
bool rt_cpu_is_sigreturn(const uint8_t *code) {
  static const uint8_t known[RT_CPU_SIGRETURN_BYTES] = {
      0x48, 0xc7, 0xc0, 0x0f, 0, 0, 0, 0x0f, 0x05};

  for (int i = 0; i < RT_CPU_SIGRETURN_BYTES; i++)
    if (code[i] != known[i])
      return false;
  return true;
}

/* By a distance of 32 bits, or ff /2: by a register, or by memory with one of
   its addressing modes, in 2 to 7 bytes. */
bool rt_cpu_is_call(const uint8_t *code) {
  if (code[2] == 0xe8)
    return true;
  for (int i = 0; i < RT_CPU_CALL_BYTES - 1; i++) {
    const int mode = code[i + 1] >> 6, base = code[i + 1] & 7;
    const bool has_sib = mode != 3 && base == 4;
    const bool is_plain =
        mode == 0 && (base == 5 || (has_sib && i + 2 < RT_CPU_CALL_BYTES &&
                                    (code[i + 2] & 7) == 5));
    const int n_displacement = mode == 1 ? 1 : mode == 2 || is_plain ? 4 : 0;
    if (code[i] == 0xff && (code[i + 1] >> 3 & 7) == 2 &&
        i + 2 + has_sib + n_displacement == RT_CPU_CALL_BYTES)
      return true;
  }
  return false;
}

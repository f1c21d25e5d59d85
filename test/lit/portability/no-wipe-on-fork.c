/* On a kernel without MADV_WIPEONFORK, as before Linux 4.14, a child starts at
   zero all the same. */
// RUN: %cc -O2 %s -o %t
// RUN: %S/Inputs/check %python %libdir %t %clang -O2 -g -fpass-plugin=%plugin
// RUN: %S/Inputs/check %python %libdir %t %cc -O2 -pg
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Runs a command for which madvise(, , MADV_WIPEONFORK) fails. */
int main(int argc, char **argv) {
  struct sock_filter code[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_madvise, 0, 3),
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS,
               offsetof(struct seccomp_data, args[2])),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, MADV_WIPEONFORK, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EINVAL),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  };
  const struct sock_fprog program = {sizeof(code) / sizeof(*code), code};

  if (argc < 2 || prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) ||
      prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program))
    return 2;
  if (!madvise(NULL, 0, MADV_WIPEONFORK) || errno != EINVAL)
    return 3;
  execvp(argv[1], argv + 1);
  return 4;
}

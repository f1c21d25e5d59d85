/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Restricts itself so that files are hard to write, then makes its calls:
   "chroot", "deleted" (working folder), "read-only", or "seccomp" (any call but
   those that end it kills). */
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

__attribute__((noinline)) static void leaf(void) { __asm__ volatile(""); }

static int forbid_all_but_end(void) {
  struct sock_filter code[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_exit_group, 1, 0),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  };
  const struct sock_fprog program = {sizeof(code) / sizeof(*code), code};

  return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) ||
         prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
}

static int enter(const char *how) {
  if (!strcmp(how, "chroot"))
    return mkdir("empty", 0555) || chroot("empty") || chdir("/");
  if (!strcmp(how, "deleted"))
    return mkdir("gone", 0777) || chdir("gone") || rmdir("../gone");
  if (!strcmp(how, "read-only"))
    return chdir("/proc/self");
  return forbid_all_but_end();
}

int main(int argc, char **argv) {
  if (argc < 2 || enter(argv[1]))
    return 2;
  for (int i = 0; i < 1000; i++)
    leaf();
  return 7;
}

/* A call that fails while a process adds to a pool: its counts are added as a
   whole by a second attempt, or not at all, which a message reports. A file
   system without locks has a pool for each process. */
// REQUIRES: strace
// RUN: %arcline-cc -O1 -g %s -o prog
// RUN: export ARCLINE_OPTIONS=out=pool/%%m:hz=0
// RUN: ./prog && ls pool/prog.???????????????? > name
//
// Once: the exit handler fails, and what comes after it tries again; or the
// counts go to a file of the process's own.
// RUN: for call in pwrite64 lseek; do \
// RUN:   for n in 1 2 3 4; do \
// RUN:     strace -o log -e trace=$call -e inject=$call:error=EIO:when=$n ./prog || exit 1; \
// RUN:   done; \
// RUN: done
// RUN: %arcline export --format=lcov pool | grep -x FNDA:27,counted
//
// Always: nothing is added.
// RUN: rm -f $(cat name).[0-9]* && cp $(cat name) before
// RUN: strace -o log -e trace=pwrite64 -e inject=pwrite64:error=ENOSPC ./prog
// RUN: cmp before $(cat name) && grep 'No space left on device; no profile' pool/arcline.log
//
// No locks.
// RUN: strace -o log -e trace=flock -e inject=flock:error=ENOLCK ./prog
// RUN: cmp before $(cat name) && ls $(cat name).[0-9]* | count 1
// RUN: grep -E 'No locks available; this process writes its own file' pool/arcline.log
// RUN: %arcline gprof -b -p prog $(cat name).[0-9]* | grep -E ' 3 .* counted$'
__attribute__((noinline)) static void counted(void) { __asm__ volatile(""); }

int main(void) {
  for (int i = 0; i < 3; i++)
    counted();
  return 0;
}

/* A unit test replaces functions of libc, by the linker's --wrap or by its own
   definitions, which libraries use as well. They see only the program's calls,
   whether they fail or not, and a profile is written. */
// RUN: for name in atexit getauxval secure_getenv syscall dl_iterate_phdr \
// RUN:     pthread_atfork pthread_key_create pthread_setspecific at_quick_exit \
// RUN:     mmap munmap write openat getpid sigaltstack sem_post; do \
// RUN:   %arcline-cc -O1 -w -DMOCK=__wrap_$name -Wl,--wrap=$name %s -o %t.wrap \
// RUN:     && %t.wrap && %arcline export --format=lcov %t.wrap gmon.out > %t.info \
// RUN:     && grep -q '^FNDA:3,tested$' %t.info && rm gmon.out* || exit 1; done
// RUN: for name in getauxval secure_getenv dl_iterate_phdr pthread_key_create \
// RUN:     pthread_setspecific syscall; do \
// RUN:   %arcline-cc -O1 -w -fno-builtin -DMOCK=$name -rdynamic %s -o %t.own \
// RUN:     && %t.own && %arcline export --format=lcov %t.own gmon.out > %t.info \
// RUN:     && grep -q '^FNDA:3,tested$' %t.info && rm gmon.out* || exit 1; done
static int n_seen;

__attribute__((no_instrument_function)) long MOCK(void) {
  n_seen++;
  return -1;
}

__attribute__((noinline)) static int tested(int x) {
  __asm__ volatile("" : "+r"(x));
  return x + 1;
}

int main(void) {
  int x = tested(tested(tested(0)));

  // Those of libc's own start and of its threads are not the runtime's.
  return x != 3 || n_seen != 0;
}

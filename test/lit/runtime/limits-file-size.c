/* A limit of 0 bytes for files ends no program by SIGXFSZ: neither one that
   executes another in an environment of its own, for which options are left in
   a file, nor one that unloads a library, whose counts are left in memory that
   is a file to the kernel. */
// RUN: %arcline-cc -O1 -g %s -o prog
// RUN: %arcline-cc -O1 -g -DLIBRARY -fPIC -shared %s -o library.so
// RUN: %clang -O1 %s -o plain -ldl
// RUN: export ARCLINE_OPTIONS=hz=0
// RUN: ./prog exec 2>&1 | cat > out
// RUN: grep -x executed out && rm -f gmon.out*
// RUN: ./plain unload 2>&1 | cat > out
// RUN: grep -x unloaded out
// RUN: not ls /tmp/arcline-exec-*-$(cat pid)
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#ifdef LIBRARY
int work(void) { return 1; }
#else
static void note_pid(void) {
  FILE *const file = fopen("pid", "w");

  fprintf(file, "%d\n", (int)getpid());
  fclose(file);
}

static void limit(void) {
  const struct rlimit none = {0, 0};

  setrlimit(RLIMIT_FSIZE, &none);
}

static int execute(void) {
  char *environment[] = {"GIVEN=1", NULL};
  char *arguments[] = {"prog", "end", NULL};

  note_pid();
  limit();
  execve("./prog", arguments, environment);
  return 1;
}

static int load(void) {
  void *const library = dlopen("./library.so", RTLD_NOW);
  int (*const work)(void) =
      library ? (int (*)(void))dlsym(library, "work") : NULL;

  return !work || work() != 1 || dlclose(library) != 0;
}

int main(int argc, char **argv) {
  const char *const how = argc > 1 ? argv[1] : "";

  if (strcmp(how, "exec") == 0)
    return execute();
  if (strcmp(how, "unload") == 0) {
    limit();
    if (load() || load())
      return 1;
    puts("unloaded");
    return 0;
  }
  puts("executed");
  return 0;
}
#endif

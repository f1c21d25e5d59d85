/* The end of a process costs what the process ran: four thousand functions that
   are never entered add few page faults, each of which costs as much as several
   system calls, and little to the file. */
// RUN: %arcline-cc -O1 %s -o few && %arcline-cc -O1 -DMANY %s -o many
// RUN: env ARCLINE_OPTIONS=hz=0:out=few.out \
// RUN:   %python %S/Inputs/page_faults.py ./few > faults-few
// RUN: env ARCLINE_OPTIONS=hz=0:out=many.out \
// RUN:   %python %S/Inputs/page_faults.py ./many > faults-many
// RUN: cat faults-few faults-many
// RUN: test $(cat faults-many) -lt $(($(cat faults-few) + 160))
// RUN: test $(du -k many.out | cut -f1) -lt $(($(du -k few.out | cut -f1) + 8))
/* A global variable that all functions use would take clang most of its time. */
#define FUNCTION(n)                                                            \
  __attribute__((noinline)) int function_##n(int k, int volatile *zero) {      \
    for (int i = 0; i < k; i++)                                                \
      if (*zero)                                                               \
        (*zero)++;                                                             \
    return *zero ? k : n;                                                      \
  }
#define FOUR(n) FUNCTION(n##0) FUNCTION(n##1) FUNCTION(n##2) FUNCTION(n##3)
#define SIXTEEN(n) FOUR(n##0) FOUR(n##1) FOUR(n##2) FOUR(n##3)
#define MORE(n) SIXTEEN(n##0) SIXTEEN(n##1) SIXTEEN(n##2) SIXTEEN(n##3)
#define EVEN_MORE(n) MORE(n##0) MORE(n##1) MORE(n##2) MORE(n##3)
#define HUNDREDS(n)                                                            \
  EVEN_MORE(n##0) EVEN_MORE(n##1) EVEN_MORE(n##2) EVEN_MORE(n##3)

#ifdef MANY
HUNDREDS(1)
HUNDREDS(2)
HUNDREDS(3)
HUNDREDS(4)
#else
FUNCTION(1)
#endif

int main(void) { return 0; }

#include "../../outside/lib.h"
#include "../../build/made.h"
int used(int x) {
  return x > 2 ? lib(x) : made(x);
}
int unused(int x) {
  return x;
}
int main(int argc, char **argv) {
  (void)argv;
  if (argc > 5)
    return unused(argc); // coverage:ignore
  return used(argc) == 7;
}

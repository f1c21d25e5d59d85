#include <cstdio>
extern "C" int part(int x);
extern "C" int shared(int x);
int main() {
  std::printf("%d\n", part(shared(20)));
  return 0;
}

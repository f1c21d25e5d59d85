// C++ with lambdas, templates, extern "C" and inlining across headers.
#include <algorithm>
#include <cstdio>
#include <map>
#include <string>
#include <vector>

extern "C" int scale(int x) { return x * 5; }

static int sorted(std::vector<int> &v) {
  auto greater = [](int a, int b) { return a > b; };
  std::sort(v.begin(), v.end(), greater);
  int s = 0;
  for (int x : v)
    s += [&](int y) { return y + s; }(x);
  return s;
}

int main() {
  std::vector<int> v;
  for (int i = 0; i < 1000; i++)
    v.push_back(i * 7919 % 1009);
  std::map<std::string, int> m;
  for (int i = 0; i < 100; i++)
    m[std::to_string(i)] = scale(i);
  std::printf("%d\n", sorted(v) + m["7"]);
}

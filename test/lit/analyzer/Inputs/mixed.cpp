struct S { int v; int get() const { return v * 2; } };
namespace n { __attribute__((noinline)) int deep(const S &s) { return s.get(); } }
extern "C" int helper(int n) { S s{n}; return n::deep(s) + s.get(); }

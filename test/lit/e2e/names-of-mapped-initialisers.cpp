// Code of initialisers of globals has the name of the source as well, though
// debug information gives it another form if a map has changed it. ld 2.40 for
// RISC-V crashes on clang's DWARF 5.
// RUN: mkdir -p build && cp %s a.cpp && cd build && top=$(dirname $PWD)
// RUN: for to in . /usr/src/pkg out/pkg; do for dwarf in -gdwarf-4 %if !riscv64 %{-gdwarf-5%}; do \
// RUN:   %arcline-c++ -O1 -g $dwarf -ffile-prefix-map=$top=$to $top/a.cpp -o prog && \
// RUN:   rm -f gmon.out* && ./prog && name=$(echo $to/a.cpp | sed 's,^[.]/,,') && \
// RUN:   %arcline export --format=lcov -o all.info --format=callgrind -o all.cg prog && \
// RUN:   grep '^SF' all.info | grep -xF "SF:$name" && grep -o '[^ =]*/*a[.]cpp$' all.cg > names && \
// RUN:   if grep -vxF -e $name -e _GLOBAL__sub_I_a.cpp names; then exit 1; fi || exit 1; done; done
struct Value {
  Value(int x) : x(x + 1) {}
  ~Value() { x = 0; }
  volatile int x;
};

Value one(1);

int main() { return one.x != 2; }

// At -O1 and above clang calls the destructor of the base instead of one
// without other work, so that only its variant for delete is left. The count of
// the destructor is then unknown, and it is not listed.
// RUN: for level in -O0 -O2; do \
// RUN:   %arcline-c++ $level -g %s -o %t && rm -f gmon.out* && %t && \
// RUN:   %arcline export --format=lcov -o ./$level.info %t || exit 1; done
// RUN: FileCheck %s --check-prefixes=CHECK,ALL < ./-O0.info
// RUN: FileCheck %s < ./-O2.info
// ALL: FNDA:2,_ZN8ReplacedD
// CHECK-NOT: FNDA:0
// CHECK: FNDA:1,_ZN4KeptD
// CHECK-NOT: DA:{{.*}},0{{$}}
// CHECK: end_of_record
struct Base {
  virtual ~Base();
  int x = 1;
};
Base::~Base() { x = 0; }

struct Replaced : Base {
  ~Replaced();
};
Replaced::~Replaced()
{
}

struct Kept : Base {
  ~Kept() { x = 2; }
};

int main() {
  Replaced one, other;
  Kept kept;
  return one.x + other.x + kept.x != 3;
}

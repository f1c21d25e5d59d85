// --calls lists the callees of each line, including those that were inlined or
// are known only at run time.
// RUN: for level in -O0 -O2; do %arcline-cc -g $level %s -o prog && rm -f gmon.out && ./prog && %arcline annotate --calls prog | FileCheck %s || exit 1; done

static int one(int x) { return x + 1; }
static int two(int x) { return x + 2; }

static int (*volatile chosen)(int) = two;

int main(int argc, char **argv) {
  int sum = 0;
  (void)argv;
  for (int i = 0; i < 10; i++)
    sum += one(i) + two(i) * chosen(i);
  // CHECK: {{ }}10 30 [[@LINE-1]]|
  // CHECK-NEXT: {{^}} 10 | -> one
  // CHECK-NEXT: {{^}} 20 | -> two
  // CHECK-NEXT: {{^}} [[@LINE-3]]|
  return argc > 5 ? one(sum) : 0;
  // CHECK: {{ }}1 [[@LINE-1]]|
  // CHECK-NEXT: {{^}} [[@LINE-1]]|
}

// The script of a page shows the conditions of a decision as a table.
// REQUIRES: browser
// RUN: %arcline-cc --arcline-mcdc -O2 -g %s -o prog && ./prog
// RUN: %arcline html --root=/ -o report prog
// RUN: node %S/../analyzer/Inputs/print_rows.js %node-modules report/src/html-conditions-in-a-browser.c-*.html > rows
// RUN: FileCheck --input-file=rows %s
// CHECK: {{ · }}<span class="part">1 of 2 conditions</span></summary>
// CHECK-SAME: <li>decision: <table><thead><tr><th scope="col">Condition</th>
// CHECK-SAME: <td><code>a &lt; 3</code></td><td class="n">3 of 3</td><td class="n">1 of 1</td>
// CHECK-SAME: <td><code>a &gt;= 0</code></td><td class="n">3 of 3</td><td class="n no">never of 0</td>
static int test(int a) {
  if (a < 3 && a >= 0)
    return 1;
  return 0;
}

int main(void) {
  int sum = 0;
  for (int i = 0; i < 4; i++)
    sum += test(i);
  return sum != 3;
}

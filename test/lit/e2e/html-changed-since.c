// `arcline html --changed-since` marks the lines that `arcline diff` counts as
// changed: the same numbers, for folders and files too, and those that never ran
// are listed.
// RUN: export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_SYSTEM=/dev/null
// RUN: export ARCLINE_OPTIONS=hz=0
// RUN: mkdir -p tree/lib && cd tree && git init -q .
// RUN: git config user.name x && git config user.email x@example.com
// RUN: grep -v '^//' %s > lib/part.c && echo 'int same(void) { return 1; }' > lib/same.c
// RUN: git add . && git commit -q -m 'before'
// RUN: sed -i 's/return -1;/return -2;/; s/-100;/-101;/; s/-1000;/-1001;/; s/x + 2/x + 3/; $a// end' lib/part.c
// RUN: %arcline-cc -O0 -g lib/part.c lib/same.c -o ../prog && ../prog

// RUN: %arcline html -o ../site --changed-since=HEAD ../prog gmon.out
// RUN: not %arcline diff --changed-since=HEAD --fail-under lines=100 gmon.out > ../out
// RUN: FileCheck --check-prefix=DIFF %s < ../out && FileCheck %s < ../site/index.html
// DIFF: changed lines 25.0 % of 4
// CHECK: <dt>Changed lines executed</dt><dd>25.0<small> %</small></dd><dd class="sub">1 of 4 lines
// CHECK: <h2>Lines changed since HEAD that never ran</h2>
// CHECK-NEXT: <ul class="places">
// CHECK-NEXT: <li><a href="src/part.c-[[HASH:[0-9a-f]+]].html#L6">part.c:6</a></li>
// CHECK-NEXT: <li><a href="src/part.c-[[HASH]].html#L8">part.c:8</a></li>
// CHECK-NEXT: <li><a href="src/part.c-[[HASH]].html#L10">part.c:10</a></li>
// CHECK-NEXT: </ul></section>
// CHECK: <th scope="col" class="n wide changes">Changed&nbsp;%</th>
// CHECK: <tr class="folder d0">{{.*}}<td class="n wide">25.0 <small>1 / 4</small></td></tr>
// CHECK: >part.c</a>{{.*}}<td class="n wide">25.0 <small>1 / 4</small></td></tr>
// CHECK: >same.c</a>{{.*}}<td class="n wide"></td></tr>
// CHECK: <tr class="total">{{.*}}<td class="n wide">25.0 <small>1 / 4</small></td></tr>
// RUN: grep -A1 'Changed lines executed' ../site/src/part.c-*.html | FileCheck --check-prefix=FILE %s
// FILE: <dt>Changed lines executed</dt><dd>1 <small>of 4 (25.0 %)</small></dd>

// Lines without code are marked, too.
// RUN: %python %S/../analyzer/Inputs/unpack_html.py ../site/src/part.c-*.html > ../lines
// RUN: grep '^+' ../lines | FileCheck --check-prefix=LINES %s && grep -c '^+' ../lines | grep -qx 5
// LINES: +6: 0
// LINES: +8: 0
// LINES: +10: 0
// LINES: +11: 1
// LINES: // end

// A revision without changes of code, one that does not exist, and none.
// RUN: git commit -q -a -m 'after' && %arcline html -o ../site --changed-since=HEAD ../prog gmon.out
// RUN: FileCheck --check-prefix=NONE %s < ../site/index.html
// NONE-NOT: Changed lines executed
// NONE: that never ran</h2>
// NONE-NEXT: <p>No changed line has code.</p>
// RUN: not %arcline html -o ../site --changed-since=nothing ../prog gmon.out 2>&1 | FileCheck --check-prefix=UNKNOWN %s
// UNKNOWN: arcline: --changed-since: git failed
// RUN: %arcline html -o ../site ../prog gmon.out && not grep -q Changed ../site/index.html
static int part(int x) {
  if (x < 0)
    return -1;
  if (x > 1000)
    return -1000;
  if (x > 100)
    return -100;
  return x + 2;
}

int main(void) {
  int sum = 0;
  sum += part(2);
  return sum == 0;
}

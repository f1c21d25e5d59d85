// Changed lines are those of the branch, not those that the revision has
// changed since the branch left it. Ranges of git and clones without history
// have no such commit.
// RUN: export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_SYSTEM=/dev/null
// RUN: export GIT_CONFIG_COUNT=2 GIT_CONFIG_KEY_0=user.name GIT_CONFIG_VALUE_0=x
// RUN: export GIT_CONFIG_KEY_1=user.email GIT_CONFIG_VALUE_1=x@example.com
// RUN: export ARCLINE_OPTIONS=hz=0
// RUN: git init -q -b trunk tree && grep -v -e '^//' -e '^$' %s > tree/part.c && cd tree
// RUN: git add . && git commit -q -m base && git checkout -q -b topic
// RUN: sed -i 's/return x;/return x + 0;/' part.c && git commit -q -a -m topic
// RUN: git checkout -q trunk && sed -i 's/return -1;/return -2;/' part.c && git commit -q -a -m trunk
// RUN: git checkout -q topic && sed -i 's/part(1) - 1/part(2) - 2/' part.c
// RUN: %arcline-cc -O0 -g part.c -o prog && ./prog
// RUN: %arcline diff --changed-since=trunk --fail-under lines=100 > out && FileCheck %s --check-prefix=BRANCH < out
// RUN: %arcline html --changed-since=trunk -o pages 2>&1 | count 0
// RUN: FileCheck %s --check-prefix=PAGE < pages/index.html
// BRANCH: changed lines 100.0 % of 2
// PAGE-NOT: part.c:3

// An ancestor, and a range.
// RUN: %arcline diff --changed-since=topic~ --fail-under lines=100 > out && FileCheck %s --check-prefix=BRANCH < out
// RUN: git commit -q -a -m more && %arcline diff --changed-since=trunk... --fail-under lines=100 > out
// RUN: FileCheck %s --check-prefix=BRANCH < out

// A revision that does not exist: git's message, once.
// RUN: not %arcline diff --changed-since=none --fail-under lines=100 2>&1 | FileCheck %s --check-prefix=NONE
// NONE: fatal: bad revision 'none'
// NONE-NEXT: arcline: --changed-since: git failed

// Without history.
// RUN: git clone -q --depth 1 --no-single-branch file://$PWD ../cloned && cd ../cloned
// RUN: not %arcline diff --changed-since=origin/trunk --fail-under lines=100 ../tree/gmon.out > out 2>&1
// RUN: FileCheck %s --check-prefix=SHALLOW < out
// SHALLOW: changed lines 66.7 % of 3
// SHALLOW: part.c:3 return -1;
int part(int x) {
  if (x < 0)
    return -1;
  return x;
}
int main(void) {
  return part(1) - 1;
}

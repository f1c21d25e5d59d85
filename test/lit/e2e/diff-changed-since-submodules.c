// Changed lines include those of submodules, in a submodule's submodule, new,
// committed or not. A submodule that git cannot compare is reported, and one
// that is not checked out has no sources.
// RUN: export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_SYSTEM=/dev/null
// RUN: export GIT_CONFIG_COUNT=3 GIT_CONFIG_KEY_0=user.name GIT_CONFIG_VALUE_0=x
// RUN: export GIT_CONFIG_KEY_1=user.email GIT_CONFIG_VALUE_1=x@example.com
// RUN: export GIT_CONFIG_KEY_2=protocol.file.allow GIT_CONFIG_VALUE_2=always
// RUN: export ARCLINE_OPTIONS=hz=0
// RUN: git init -q inner && grep -v -e '^//' -e '^$' %s | sed 's/NAME/inner/' > inner/part.c
// RUN: git -C inner add . && git -C inner commit -q -m one
// RUN: git init -q outer && sed 's/inner/outer/' inner/part.c > outer/part.c
// RUN: git -C outer submodule --quiet add ../inner 'the inner' && git -C outer add .
// RUN: git -C outer commit -q -m one
// RUN: git init -q tree && cd tree && git submodule --quiet add ../outer lib/outer
// RUN: git submodule --quiet update --init --recursive
// RUN: echo 'int inner(int), outer(int); int main(void) { return inner(1) + outer(1) - 2; }' > main.c
// RUN: git add . && git commit -q -m one && git tag base

// A configuration of the submodule changes nothing; nor does a hook's
// environment.
// RUN: git -C lib/outer config diff.external false && git -C lib/outer config diff.context 9
// RUN: sed -i 's/return -1;/return -2;/' 'lib/outer/the inner/part.c'
// RUN: sed -i 's/return x;/return x + 0;/' lib/outer/part.c
// RUN: %arcline-cc -O0 -g main.c lib/outer/part.c 'lib/outer/the inner/part.c' -o prog && ./prog
// RUN: not %arcline diff --changed-since=base --fail-under lines=100 > out && FileCheck %s < out
// RUN: not env GIT_DIR=$PWD/.git GIT_INDEX_FILE=$PWD/.git/index GIT_WORK_TREE=$PWD \
// RUN:   %arcline diff --changed-since=base --fail-under lines=100 > out && FileCheck %s < out
// CHECK: changed lines 50.0 % of 2
// CHECK: Changed lines that never ran
// CHECK-NEXT: lib/outer/the inner/part.c:3 return -2;

// Committed at each level.
// RUN: git -C 'lib/outer/the inner' commit -q -a -m two && git -C lib/outer commit -q -a -m two
// RUN: git commit -q -a -m two
// RUN: not %arcline diff --changed-since=base --fail-under lines=100 > out && FileCheck %s < out
// RUN: cd lib && not %arcline diff --changed-since=base --fail-under lines=100 ../gmon.out > out
// RUN: cd .. && FileCheck %s --check-prefix=BELOW < lib/out
// BELOW: changed lines 50.0 % of 2
// BELOW: outer/the inner/part.c:3 return -2;

// New as a whole.
// RUN: git checkout -q --orphan other && git rm -q --cached -r lib .gitmodules && git add main.c
// RUN: git commit -q -m none && git tag none && git add lib .gitmodules && git commit -q -m new
// RUN: not %arcline diff --changed-since=none --fail-under lines=100 > out
// RUN: FileCheck %s --check-prefix=NEW < out
// NEW: changed lines 80.0 % of 10
// NEW: lib/outer/part.c:3 return -1;
// NEW: lib/outer/the inner/part.c:3 return -2;

// Without the history of a submodule.
// RUN: cd .. && git clone -q file://$PWD/tree cloned && cd cloned && git checkout -q -b older base
// RUN: git checkout -q other && git -c submodule.recurse=false submodule --quiet init
// RUN: %arcline diff --changed-since=base --fail-under lines=1 ../tree/gmon.out > out 2>&1
// RUN: FileCheck %s --check-prefix=ABSENT --implicit-check-not=warning < out
// ABSENT: passed lines=1: no code was changed
// RUN: git clone -q --depth 1 file://$PWD/../tree/lib/outer lib/outer
// RUN: %arcline diff --changed-since=base --fail-under lines=1 ../tree/gmon.out > out 2>&1
// RUN: FileCheck %s --check-prefix=SHALLOW < out
// SHALLOW: warning: {{.*}}/cloned/lib/outer: changed lines of this submodule are not counted, since git cannot compare it with {{[0-9a-f]+}}; fetch that commit
// SHALLOW: passed lines=1: no code was changed
int NAME(int x) {
  if (x < 0)
    return -1;
  return x;
}

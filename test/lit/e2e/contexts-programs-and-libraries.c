/* arcline tests prints the tests that ran a function or a line, of two programs
   and a library that they share; several processes are one test. */
// RUN: %arcline-cc -O2 -g --arcline-suite=suite -fPIC -shared -DLIBRARY %s \
// RUN:   -o libshared.so
// RUN: %arcline-cc -O2 -g --arcline-suite=suite %s -L. -lshared \
// RUN:   -Wl,-rpath,$PWD -o one
// RUN: %arcline-cc -O2 -g --arcline-suite=suite -DTWO %s -L. -lshared \
// RUN:   -Wl,-rpath,$PWD -o two
// RUN: env ARCLINE_CONTEXT=first ./one a && env ARCLINE_CONTEXT=first ./two
// RUN: env ARCLINE_CONTEXT=second ./one b
// RUN: env ARCLINE_CONTEXT=third ./two
//
// The second time, all is in the index.
// RUN: %arcline tests suite > list && %arcline tests suite | diff list -
// RUN: printf '%%s\n' 'functions  test' '        5  first' \
// RUN:   '        3  second' '        3  third' | diff - list
// RUN: ls suite/arcline.contexts | grep -vE '(one|two|libshared.so)\.[0-9a-f]' \
// RUN:   | grep -x index
// RUN: find suite -mindepth 2 -type d | count 0
//
// RUN: %arcline tests only_a suite | grep -x first
// RUN: %arcline tests only_a suite | count 1
// RUN: %arcline tests only_b suite | grep -x second
// RUN: %arcline tests shared suite | count 3
// RUN: %arcline tests only_two suite > hits && printf 'first\nthird\n' \
// RUN:   | diff - hits
// RUN: cd suite && %arcline tests only_two | diff - ../hits && cd ..
//
// Lines of a function that ran, since lines were not recorded.
// RUN: %arcline tests %s:$(grep -n 'rare case' %s | tail -1 | cut -d: -f1) \
// RUN:   suite > hits 2> err
// RUN: printf 'first\nsecond\nthird\n' | diff - hits
// RUN: grep 'tests of the function at this line' err
//
// With lines.
// RUN: rm -r suite
// RUN: env ARCLINE_CONTEXT=first ./one a && env ARCLINE_CONTEXT=second ./one b
// RUN: %arcline tests --lines suite > list
// RUN: printf '%%s\n' 'functions     lines  test' \
// RUN:   '        3         9  first' '        3         9  second' | diff - list
// RUN: %arcline tests %s:$(grep -n 'rare case' %s | tail -1 | cut -d: -f1) \
// RUN:   suite > hits 2> err
// RUN: count 0 < err
// RUN: echo first | diff - hits
// RUN: %arcline tests --format=json only_b suite | jq -c '[.tests, .ran]' \
// RUN:   | grep -Fx '[["second"],"only_b"]'
// RUN: %arcline tests --format=json suite | tail -n 1 | grep -x '}'
// RUN: %arcline tests --format=json only_b suite | tail -n 1 | grep -x '}'
// RUN: %arcline tests --format=json suite | jq -r '.tests[].name' | xargs \
// RUN:   | grep -x 'first second'
//
// No test: exit status 1. A process that belongs to none is reported.
// RUN: %arcline tests never suite; test $? = 1
// RUN: ./one a
// RUN: %arcline tests suite | grep -E '^ +[0-9]+ +[0-9]+  \(no test\)$'
// RUN: %arcline tests only_a suite 2>&1 | grep 'processes that belong to no test'
//
// What is not there.
// RUN: not %arcline tests onlya suite 2>&1 | grep 'did you mean only_a'
// RUN: not %arcline tests nofile.c:3 suite 2>&1 | grep 'is in this file'
// RUN: not %arcline tests %s:1 suite 2>&1 | grep 'no code at this line'
// RUN: not %arcline tests only_a . 2>&1 | grep 'contains no contexts'
// RUN: not %arcline tests 2>&1 | grep 'no folder with contexts here'
int shared(int n);

#ifdef LIBRARY
int shared(int n) {
  if (n == 'a')
    return n + 1; // rare case
  return n;
}
#else
__attribute__((noinline)) int only_a(int n) { return shared(n) + 1; }
__attribute__((noinline)) int only_b(int n) { return shared(n) + 2; }
__attribute__((noinline)) int never(int n) { return shared(n) + 3; }

#ifdef TWO
__attribute__((noinline)) static int only_two(int n) { return shared(n); }
int main(int argc, char **argv) {
  (void)argv;
  return only_two(argc) == 99 ? never(argc) : 0;
}
#else
int main(int argc, char **argv) {
  if (argc > 9)
    return never(argc);
  return (argv[1][0] == 'a' ? only_a('a') : only_b('b')) == 0;
}
#endif
#endif

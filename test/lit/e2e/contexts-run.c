/* arcline run --context: the program is a test, in the folder of the suite.
   Within another arcline run, it is that one's folder, and the counts are in
   the index at its end. */
// RUN: %arcline-cc -O1 -g %s -o prog
// RUN: %arcline run -o suite --context=a/b ./prog 2> err; test $? = 1
// RUN: count 0 < err
// RUN: %arcline run --context='c d' -o suite ./prog x; test $? = 2
// RUN: %arcline tests main suite > hits && printf 'a/b\nc d\n' | diff - hits
//
// RUN: %arcline run -o outer -q sh -c \
// RUN:   '%arcline run --context=one ./prog; env ARCLINE_CONTEXT=two ./prog x y; \
// RUN:    ARCLINE_CONTEXT= ./prog; true'
// RUN: find outer -mindepth 2 -type d | count 0
// RUN: cp prog saved && rm prog
// RUN: %arcline tests main outer 2> err | xargs | grep -x 'one two'
// RUN: grep 'processes that belong to no test ran it, too' err
//
// A test may have the name of the index.
// RUN: %arcline run --context=index -o suite ./saved; %arcline tests main suite | grep -x index
//
// The folder of the project.
// RUN: %arcline run --context=here ./saved; %arcline tests main | grep -x here
// RUN: ls -d profiles/arcline.contexts && not ls -d arcline.saved
//
// RUN: not %arcline run --context= ./saved 2>&1 | grep 'name is empty'
// RUN: %arcline run --context=$(printf %%010000d 0) ./saved 2> err; test $? = 2
// RUN: grep -x 'arcline: --context: name is too long; shorten it' err
int main(int argc, char **argv) {
  (void)argv;
  return argc;
}

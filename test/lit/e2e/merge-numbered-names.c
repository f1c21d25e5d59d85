// Two builds of libx.so, which two runs loaded, beside libx.so.2: each of the
// three has a sum of its own, and the number that keeps the builds apart does
// not lead to the name of the other library.
// RUN: mkdir first second one two
// RUN: %arcline-cc -g -fPIC -shared -DPART=first %s -Wl,-soname,libx.so \
// RUN:   -o first/libx.so
// RUN: %arcline-cc -g -fPIC -shared -DPART=first -DMORE %s -Wl,-soname,libx.so \
// RUN:   -o second/libx.so
// RUN: %arcline-cc -g -fPIC -shared -DPART=second %s -Wl,-soname,libx.so.2 \
// RUN:   -o libx.so.2
// RUN: %arcline-cc -g %s -o prog first/libx.so libx.so.2
// RUN: (cd one && LD_LIBRARY_PATH=../first:.. ../prog)
// RUN: (cd two && LD_LIBRARY_PATH=../second:.. ../prog)
// RUN: %arcline merge -o sum one two
// RUN: ls sum* | xargs echo \
// RUN:   | grep -x 'sum sum.arcline sum.libx.so sum.libx.so.2 sum.libx.so.3'
// RUN: grep -c '^object .* sum.libx.so' sum.arcline | grep -x 3
// RUN: %arcline gprof -b -p sum.arcline > flat
// RUN: grep -cE ' 1 .* first$' flat | grep -x 2
// RUN: grep -E ' 2 .* second$' flat
#ifdef PART
int PART(int value) {
#ifdef MORE
  if (value > 7)
    return 7;
#endif
  return value + 1;
}
#else
int first(int), second(int);

int main(void) { return first(second(1)) != 3; }
#endif

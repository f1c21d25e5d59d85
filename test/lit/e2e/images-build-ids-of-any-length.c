// A build-id may have any number of bytes: the note at the end of a section has
// no padding then, and a run records no more than 20 bytes. Programs,
// libraries, pools and separate debug files are found by it.
// RUN: export ARCLINE_OPTIONS=hz=0 ARCLINE_DEBUG_PATH=$PWD/debug
// RUN: for id in ab abcdef 0123456789 0123456789abcdef0123456789abcdef01234567ab \
// RUN:     0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef \
// RUN:     0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdefab; do \
// RUN:   for linker in bfd lld gold mold; do \
// RUN:     link="-fuse-ld=$linker -O1 -g"; rest=$(echo $id | cut -c3-); echo 'int x;' | %clang -fuse-ld=$linker -shared -xc - -o try.so 2> /dev/null || continue; \
// RUN:     echo "$linker $id" && rm -rf run debug && mkdir -p run/pool && cd run && \
// RUN:     %arcline-cc $link -Wl,--build-id=0xcd$rest -fPIC -shared -DLIBRARY %s -o libpart.so && %arcline-cc $link -Wl,--build-id=0x$id %s -L. -lpart -Wl,-rpath,$PWD -o prog || exit 1; \
// RUN:     ./prog && ARCLINE_OPTIONS=hz=0:out=pool/%m ./prog && \
// RUN:     %arcline report --top=0 > named && %arcline report --top=0 pool > pooled && \
// RUN:     %arcline merge -o sum.out gmon.out && %arcline report --top=0 prog sum.out > merged || exit 1; \
// RUN:     grep ' 3 .* work' named && grep ' 3 .* part' named && grep ' 3 .* work' pooled && grep ' 3 .* work' merged || exit 1; \
// RUN:     if [ $rest ]; then mkdir -p ../debug/.build-id/${id%%$rest} && \
// RUN:       objcopy --only-keep-debug prog ../debug/.build-id/${id%%$rest}/$rest.debug && strip prog && \
// RUN:       %arcline annotate --function=work prog gmon.out | grep 'work: called 3 times' || exit 1; fi; \
// RUN:     cd ..; \
// RUN:   done; \
// RUN: done
#ifdef LIBRARY
__attribute__((noinline)) int part(int x) { return x + 2; }
#else
int part(int x);
__attribute__((noinline)) static int work(int x) { return part(x) * 2; }
int main(void) {
  int sum = 0;
  for (int i = 0; i < 3; i++)
    sum += work(i);
  return sum == 0;
}
#endif

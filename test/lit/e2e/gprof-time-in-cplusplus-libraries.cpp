// Functions of the C++ library have demangled names and exact calls.
//
// RUN: %arcline-c++ -O1 %s -o prog && env ARCLINE_OPTIONS=hz=500 ./prog
// RUN: %arcline gprof -b prog > report
// RUN: %python %S/Inputs/check_shares.py report '.*memcmp.*>=20' \
// RUN:   'std::.*::find\(.*>=5' 'write\(int\)<=25' 'main->write\(int\)=20' \
// RUN:   'write\(int\)->std::ostream::operator<<\(int\)=40' \
// RUN:   'write\(int\)->std::ostream::flush\(\)=20'
// RUN: %arcline gprof -b --no-demangle prog > raw && grep -q " _ZNSolsEi " raw
// A function of the library that was inlined is none of it.
// RUN: not grep _M_data report
//
// In a static executable, too:
// RUN: %arcline-c++ -O1 -static %s -o all && env ARCLINE_OPTIONS=hz=500 ./all
// RUN: %arcline gprof -b all > report
// RUN: %python %S/Inputs/check_shares.py report '.*memcmp.*>=20' \
// RUN:   'write\(int\)->std::ostream::operator<<\(int\)=40' \
// RUN:   'write\(int\)->std::ostream::flush\(\)=20'
#include <algorithm>
#include <sstream>
#include <string>

static std::ostringstream out;
static std::string text(1 << 21, 'x');

__attribute__((noinline)) void write(int n) {
  out.str("");
  for (int i = 0; i < 2; i++)
    out << n + i;
  // Its time is spent in functions of the library.
  for (int i = 0; i < 6; i++)
    text.find("xxxxxxxy", static_cast<size_t>(i));
  out.flush();
}

int main() {
  for (int i = 0; i < 20; i++)
    write(i);
  return out.str().empty();
}

// Functions are found by the names that the source has: with or without class,
// namespace, parameters and arguments of templates. If there is none, similar
// names are listed.
// RUN: export ARCLINE_OPTIONS=hz=0
// RUN: %arcline-c++ -O0 -g %s -o prog && ./prog
// RUN: echo 'for name; do %arcline annotate --function="$name" prog > out || exit 1; grep -o -- "-- .*: called" out | sort -u; done' > functions.sh
// RUN: sh functions.sh parse 'Parser::parse(int)' 'parse(const std::string &)' '::parse' 'Reader<char>::parse' Reader::parse | FileCheck %s --match-full-lines
//      CHECK:-- int text::Reader<char>::parse<int>(int): called
// CHECK-NEXT:-- parse(): called
// CHECK-NEXT:-- text::Parser::parse(int): called
// CHECK-NEXT:-- text::Parser::parse(std::{{.*}} const&): called
// CHECK-NEXT:-- text::Parser::parse(int): called
// CHECK-NEXT:-- text::Parser::parse(std::{{.*}} const&): called
// CHECK-NEXT:-- parse(): called
// CHECK-NEXT:-- int text::Reader<char>::parse<int>(int): called
// CHECK-NEXT:-- int text::Reader<char>::parse<int>(int): called

// RUN: not %arcline annotate --function=Parser::prase prog 2>&1 | FileCheck %s --check-prefix=HINT
// arcline lists no machine code of RISC-V.
// RUN: %if !riscv64 %{not %arcline annotate --asm --function=parse --function=Parser::prase prog 2>&1 | FileCheck %s --check-prefix=HINT%}
// HINT: arcline: Parser::prase: no function of this name has code{{.*}}; did you mean text::Parser::parse?
// RUN: not %arcline annotate --function='Parser::parse(char)' prog 2>&1 | FileCheck %s --check-prefix=OVERLOADS
// OVERLOADS: no function of this name has code; did you mean text::Parser::parse(int) or text::Parser::parse(std::string const&)?

// A gate fails for each function that its name matches.
// RUN: not %arcline diff --fail-on 'calls(parse) > 1' --fail-on 'calls(Parser::parse(int)) > 9' --fail-on 'calls(Parser::*) > 4' prog > out
// RUN: FileCheck %s --check-prefix=GATE < out
//      GATE: passed calls(Parser::parse(int)) > 9: text::Parser::parse(int) 5
// GATE-NEXT: failed calls(parse) > 1: text::Parser::parse(int) 5
// GATE-NEXT: failed calls(parse) > 1: int text::Reader<char>::parse<int>(int) 2
// GATE-NEXT: failed calls(Parser::*) > 4: text::Parser::parse(int) 5
// RUN: not %arcline diff --fail-on 'calls(Parsr::parse) > 1' prog 2>&1 | FileCheck %s --check-prefix=MEANT
// MEANT: so it would always pass; did you mean text::Parser::parse?
#include <string>

namespace text {
struct Parser {
  int parse(int x) { return x; }
  int parse(const std::string &text) { return (int)text.size(); }
};
template <class C> struct Reader {
  template <class T> T parse(T x) { return x; }
};
} // namespace text

static int parse() { return 1; }

int main() {
  text::Parser parser;
  text::Reader<char> reader;
  int sum = parse() + parser.parse(std::string("x"));
  for (int i = 0; i < 5; i++)
    sum += parser.parse(i);
  for (int i = 0; i < 2; i++)
    sum += reader.parse(i);
  return sum == 0;
}

/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * A deterministic PEGTL workload: JSON is generated, and parsed with actions
 * that add up its contents.
 *
 *   pegtl_workload [SCALE]    SCALE documents of 2,000 records
 */
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>

#include <tao/pegtl.hpp>
#include <tao/pegtl/contrib/json.hpp>

#include "made_data.h"

namespace {

namespace pegtl = tao::pegtl;

struct Sums {
  uint64_t NumValues = 0;
  uint64_t Check = 0;
};

template <typename Rule> struct Action : pegtl::nothing<Rule> {};

template <> struct Action<pegtl::json::number> {
  template <typename Input> static void apply(const Input &In, Sums &S) {
    S.NumValues++;
    for (const char C : In.string_view())
      S.Check = S.Check * 31 + uint8_t(C);
  }
};

template <> struct Action<pegtl::json::string_content> {
  template <typename Input> static void apply(const Input &In, Sums &S) {
    S.NumValues++;
    S.Check = S.Check * 31 + In.size();
  }
};

template <> struct Action<pegtl::json::array::end> {
  static void apply0(Sums &S) { S.Check ^= S.Check >> 7; }
};

std::string makeDocument(uint32_t *Random) {
  std::string Text = "[";
  for (int I = 0; I < 2000; I++) {
    char Record[160];
    uint32_t Numbers[4]; // arguments are evaluated in an unspecified order
    for (uint32_t &Number : Numbers)
      Number = next_random(Random, 1000000);
    std::snprintf(Record, sizeof(Record),
                  "%s\n  {\"name\": \"function_%u\", \"calls\": %u, "
                  "\"self\": -%u.%ue%u, \"lines\": [",
                  I ? "," : "", Numbers[0] % 500, Numbers[1], Numbers[2] % 100,
                  Numbers[3] % 100, Numbers[3] % 9);
    Text += Record;
    for (uint32_t J = next_random(Random, 8); J; J--)
      Text += std::to_string(next_random(Random, 5000)) + (J > 1 ? ", " : "");
    Text += "], \"inlined\": false, \"parent\": null, \"file\": \"a\\tb\"}";
  }
  return Text + "\n]\n";
}

} // namespace

int main(int argc, char **argv) {
  const int Scale = argc > 1 ? std::atoi(argv[1]) : 1;
  uint32_t Random = 20261123;
  Sums S;

  for (int I = 0; I < Scale; I++) {
    pegtl::string_input<> In(makeDocument(&Random), "made");
    if (!pegtl::parse<pegtl::seq<pegtl::json::text, pegtl::eof>, Action>(In,
                                                                         S)) {
      std::fprintf(stderr, "pegtl_workload: not JSON\n");
      return 1;
    }
  }
  std::printf("%llu values, checksum %016llx\n",
              static_cast<unsigned long long>(S.NumValues),
              static_cast<unsigned long long>(S.Check));
  return 0;
}

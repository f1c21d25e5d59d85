/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * A deterministic LibSass workload: a style sheet with mixins, functions,
 * loops and nested rules is made and compiled.
 *
 *   libsass_workload [SCALE]    SCALE style sheets
 */
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#include <sass/context.h>

#include "made_data.h"

// The only file in C, which the command of a C++ compiler would compile as C++.
extern "C" {
#include <cencode.c>
}

namespace {

std::string makeSheet(uint32_t *Random) {
  static const char *const Parts[] = {"header", "nav", "main", "footer"};
  std::string Sheet =
      "@function twice($n) { @return $n * 2; }\n"
      "@mixin box($w, $c: red) {\n"
      "  width: twice($w); border: 1px solid lighten($c, 10%);\n"
      "  &:hover { color: mix($c, blue, 30%); }\n"
      "}\n"
      "%shared { margin: 0 auto; }\n"
      "@for $i from 1 through 40 {\n"
      "  .column-#{$i} { width: percentage($i / 40); @extend %shared; }\n"
      "}\n"
      "@each $name, $glyph in (edge: 1, arc: 2, block: 3, cycle: 4) {\n"
      "  .icon-#{$name} { content: quote($glyph);\n"
      "    @if $glyph > 2 { color: darken(#abcdef, $glyph * 5%); }\n"
      "    @else { color: nth((red, green, blue), $glyph); } }\n"
      "}\n";
  for (int I = 0; I < 60; I++) {
    char Rule[300];
    uint32_t Numbers[6]; // arguments are evaluated in an unspecified order
    for (uint32_t &Number : Numbers)
      Number = next_random(Random, 256);
    std::snprintf(Rule, sizeof(Rule),
                  ".%s-%d { @include box(%upx, rgb(%u, %u, %u));\n"
                  "  ul { li { a { padding: (%u + 3) * 1em / 2; } }\n"
                  "    > .on, > .off { z-index: %u; } } }\n",
                  Parts[Numbers[0] % 4], I, Numbers[0], Numbers[1], Numbers[2],
                  Numbers[3], Numbers[4], Numbers[5]);
    Sheet += Rule;
  }
  return Sheet;
}

} // namespace

int main(int argc, char **argv) {
  const int Scale = argc > 1 ? std::atoi(argv[1]) : 1;
  uint32_t Random = 20261123;
  uint64_t NumBytes = 0, Check = 0;

  for (int I = 0; I < Scale; I++) {
    const std::string Sheet = makeSheet(&Random);
    Sass_Data_Context *Data =
        sass_make_data_context(sass_copy_c_string(Sheet.c_str()));
    Sass_Context *Context = sass_data_context_get_context(Data);
    if (sass_compile_data_context(Data)) {
      std::fprintf(stderr, "libsass_workload: %s",
                   sass_context_get_error_message(Context));
      return 1;
    }
    for (const char *At = sass_context_get_output_string(Context); *At; At++) {
      Check = Check * 31 + uint8_t(*At);
      NumBytes++;
    }
    sass_delete_data_context(Data);
  }
  std::printf("%llu bytes, checksum %016llx\n",
              static_cast<unsigned long long>(NumBytes),
              static_cast<unsigned long long>(Check));
  return 0;
}

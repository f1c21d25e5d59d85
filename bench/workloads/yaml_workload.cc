/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * A deterministic workload for yaml-cpp: documents are made, parsed into
 * nodes, changed and written.
 *
 *   yaml_workload [SCALE]    SCALE documents of 100 records
 */
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "made_data.h"
#include "yaml-cpp/yaml.h"

namespace {

std::string makeDocument(uint32_t *Random) {
  std::string Text = "# made\nrecords:\n";
  for (int I = 0; I < 100; I++) {
    char Record[256];
    uint32_t Numbers[4]; // arguments are evaluated in an unspecified order
    for (uint32_t &Number : Numbers)
      Number = next_random(Random, 100000);
    std::snprintf(Record, sizeof(Record),
                  "  - name: \"function %u\"\n    calls: %u\n"
                  "    lines: [%u, %u, 3]\n    text: |\n      of two\n"
                  "      lines\n    inlined: %s\n",
                  Numbers[0] % 500, Numbers[1], Numbers[2], Numbers[3],
                  Numbers[3] % 2 ? "yes" : "no");
    Text += Record;
  }
  return Text;
}

} // namespace

int main(int argc, char **argv) {
  const int Scale = argc > 1 ? std::atoi(argv[1]) : 1;
  uint32_t Random = 20261124;
  uint64_t NumCalls = 0, Check = 0;

  for (int I = 0; I < Scale; I++) {
    YAML::Node Document = YAML::Load(makeDocument(&Random));
    for (YAML::Node Record : Document["records"]) {
      NumCalls += Record["calls"].as<uint64_t>();
      if (Record["inlined"].as<bool>())
        Record["lines"].push_back(int(NumCalls % 1000));
    }
    YAML::Emitter Out;
    Out << Document;
    for (const char *C = Out.c_str(); *C; C++)
      Check = Check * 31 + static_cast<unsigned char>(*C);
  }
  std::printf("%llu calls, checksum %016llx\n",
              static_cast<unsigned long long>(NumCalls),
              static_cast<unsigned long long>(Check));
  return 0;
}

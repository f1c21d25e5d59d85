/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * A deterministic workload for pugixml: documents are parsed, searched by
 * XPath and written.
 *
 *   pugixml_workload [SCALE]    SCALE documents of 128 KiB
 */
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "made_data.h"
#include "pugixml.hpp"

namespace {

struct Summing : pugi::xml_writer {
  uint64_t Check = 0;
  void write(const void *data, size_t n) override {
    const auto *bytes = static_cast<const unsigned char *>(data);
    for (size_t i = 0; i < n; i++)
      Check = Check * 31 + bytes[i];
  }
};

} // namespace

int main(int argc, char **argv) {
  const int scale = argc > 1 ? std::atoi(argv[1]) : 1;
  std::vector<char> text(128 * 1024);
  uint32_t random = 20261124;
  uint64_t found = 0;
  Summing sum;
  const pugi::xpath_query query("//arc[@id > 500]/line");

  for (int i = 0; i < scale; i++) {
    const size_t n = make_document(text.data(), text.size(), &random);
    pugi::xml_document document;
    if (!document.load_buffer(text.data(), n)) {
      std::fprintf(stderr, "pugixml_workload: no document\n");
      return 1;
    }
    for (const pugi::xpath_node &node : query.evaluate_node_set(document))
      found += node.node().attribute("id").as_uint();
    document.save(sum, " ");
  }
  std::printf("%llu found, checksum %016llx\n",
              static_cast<unsigned long long>(found),
              static_cast<unsigned long long>(sum.Check));
}

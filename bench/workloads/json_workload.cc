/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * A deterministic workload of templates: builds a document with nlohmann's
 * JSON library, prints it, parses it again, changes and queries it.
 *
 *   json_workload [SCALE]    SCALE rounds over a document of 2,000 objects
 */
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "nlohmann/json.hpp"

using nlohmann::json;

namespace {

class Random {
public:
  uint32_t next(uint32_t Limit) {
    State = State * 1664525u + 1013904223u;
    return (State >> 8) % Limit;
  }

  std::string word(int Syllables) {
    static const char *const Parts[] = {"ar", "clin", "be", "do",     "\"u",
                                        "ho", "\n",   "lo", "\u00e9", "tz"};
    std::string Word;
    for (int I = 0; I < Syllables; I++)
      Word += Parts[next(10)];
    return Word;
  }

private:
  uint32_t State = 20261121;
};

json makeDocument(Random &Random) {
  json Document = json::array();
  for (int I = 0; I < 2000; I++) {
    json Item = {{"id", I},
                 {"name", Random.word(3)},
                 {"price", Random.next(100000) / 8.0},
                 {"sold", Random.next(2) == 1},
                 {"tags", json::array()}};
    for (uint32_t J = Random.next(5); J > 0; J--)
      Item["tags"].push_back(Random.word(1));
    if (Random.next(4) == 0)
      Item["note"] = nullptr;
    Document.push_back(std::move(Item));
  }
  return Document;
}

void change(json &Document, Random &Random) {
  for (json &Item : Document) {
    if (Item.contains("note"))
      Item.erase("note");
    Item["price"] = Item["price"].get<double>() * 2 + 0.25;
    if (Item["sold"])
      Item["buyer"] = {{"name", Random.word(2)}, {"age", Random.next(100)}};
  }
}

// Invalid JSON: the parser throws an exception.
size_t countRefused(const std::string &Text) {
  size_t Refused = 0;
  for (size_t I = 1; I <= 20; I++) {
    try {
      (void)json::parse(Text.substr(0, I * 50));
    } catch (const json::parse_error &Error) {
      Refused += Error.byte;
    }
  }
  return Refused;
}

uint64_t addToChecksum(uint64_t Checksum, const std::string &Text) {
  for (const char Character : Text)
    Checksum = (Checksum ^ static_cast<uint8_t>(Character)) * 1099511628211u;
  return Checksum;
}

} // namespace

int main(int Argc, char **Argv) {
  const int Scale = Argc > 1 ? std::atoi(Argv[1]) : 1;
  Random Random;
  uint64_t Checksum = 14695981039346656037u;
  size_t Bytes = 0;

  for (int I = 0; I < Scale; I++) {
    const std::string Text = makeDocument(Random).dump(I % 2 ? 2 : -1);
    json Document = json::parse(Text);
    change(Document, Random);
    const std::string Changed = Document.dump();
    const json Difference = json::diff(json::parse(Text)[0], Document[0]);
    Checksum = addToChecksum(Checksum, Changed + Difference.dump());
    Bytes += Text.size() + Changed.size() + countRefused(Changed);
  }
  std::printf("%zu bytes, checksum %016llx\n", Bytes,
              static_cast<unsigned long long>(Checksum));
  return 0;
}

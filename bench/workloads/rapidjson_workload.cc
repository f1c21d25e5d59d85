/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * A deterministic RapidJSON workload: a document is made, written, read and
 * changed.
 *
 *   rapidjson_workload [SCALE]    SCALE documents of 2,000 records
 */
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>

#include <rapidjson/document.h>
#include <rapidjson/prettywriter.h>
#include <rapidjson/stringbuffer.h>

namespace {

class Random {
public:
  uint32_t next(uint32_t Limit) {
    State = State * 1664525u + 1013904223u;
    return (State >> 8) % Limit;
  }

private:
  uint32_t State = 20261122;
};

void fill(rapidjson::Document &Document, Random &Numbers) {
  auto &Allocator = Document.GetAllocator();
  Document.SetArray();
  for (int I = 0; I < 2000; I++) {
    rapidjson::Value Record(rapidjson::kObjectType);
    rapidjson::Value Name(
        ("function_" + std::to_string(Numbers.next(500))).c_str(), Allocator);
    Record.AddMember("name", Name, Allocator);
    Record.AddMember("calls", Numbers.next(1000000), Allocator);
    Record.AddMember("self", Numbers.next(10000) / 128.0, Allocator);
    rapidjson::Value Lines(rapidjson::kArrayType);
    for (uint32_t J = Numbers.next(8); J; J--)
      Lines.PushBack(Numbers.next(5000), Allocator);
    Record.AddMember("lines", Lines, Allocator);
    Document.PushBack(Record, Allocator);
  }
}

template <typename Writer> std::string write(const rapidjson::Value &Value) {
  rapidjson::StringBuffer Buffer;
  Writer Out(Buffer);
  Value.Accept(Out);
  return Buffer.GetString();
}

uint64_t sum(const rapidjson::Value &Value) {
  uint64_t Result = 1;
  if (Value.IsObject())
    for (const auto &Member : Value.GetObject())
      Result = Result * 31 + sum(Member.value);
  else if (Value.IsArray())
    for (const auto &Item : Value.GetArray())
      Result = Result * 31 + sum(Item);
  else if (Value.IsString())
    Result = Value.GetStringLength();
  else if (Value.IsUint())
    Result = Value.GetUint();
  return Result;
}

} // namespace

int main(int argc, char **argv) {
  using namespace rapidjson;
  const int Scale = argc > 1 ? std::atoi(argv[1]) : 1;
  Random Numbers;
  uint64_t Check = 0;

  for (int I = 0; I < Scale; I++) {
    Document Made, Read;
    fill(Made, Numbers);
    const std::string Pretty = write<PrettyWriter<StringBuffer>>(Made);
    Read.Parse(Pretty.c_str());
    if (Read.HasParseError() || !(Read == Made)) {
      std::fprintf(stderr, "rapidjson_workload: another document came back\n");
      return 1;
    }
    Check = Check * 31 + sum(Read) + write<Writer<StringBuffer>>(Read).size();
  }
  std::printf("checksum %016llx\n", static_cast<unsigned long long>(Check));
  return 0;
}

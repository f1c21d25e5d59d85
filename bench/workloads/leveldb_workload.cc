/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * A deterministic LevelDB workload, in memory: fills a database, changes,
 * deletes and compacts, then reads at random and in order, the former in any
 * number of threads. LevelDB compacts in a thread of its own besides.
 *
 *   leveldb_workload [SCALE [THREADS]]    SCALE times 10,000 records; 1 thread
 */
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "helpers/memenv/memenv.h"
#include "leveldb/cache.h"
#include "leveldb/db.h"
#include "leveldb/env.h"
#include "leveldb/filter_policy.h"
#include "leveldb/write_batch.h"

namespace {

constexpr uint64_t ChecksumSeed = 14695981039346656037u;

class Random {
public:
  explicit Random(uint32_t Seed) : State(Seed) {}

  uint32_t next(uint32_t Limit) {
    State = State * 1664525u + 1013904223u;
    return (State >> 8) % Limit;
  }

private:
  uint32_t State;
};

void check(const leveldb::Status &Status, const char *What) {
  if (Status.ok())
    return;
  std::fprintf(stderr, "leveldb_workload: %s: %s\n", What,
               Status.ToString().c_str());
  std::exit(1);
}

std::string keyOf(uint32_t Number) {
  char Key[24];
  // Neighbours in number are far apart in order.
  std::snprintf(Key, sizeof(Key), "%08x-%06u", Number * 2654435761u, Number);
  return Key;
}

std::string valueOf(uint32_t Number, Random &Random) {
  std::string Value;
  for (uint32_t I = 5 + Random.next(10); I > 0; I--)
    Value += Random.next(3) ? "counter " : std::to_string(Number * I) + ";";
  return Value;
}

uint64_t addToChecksum(uint64_t Checksum, const leveldb::Slice &Text) {
  for (size_t I = 0; I < Text.size(); I++)
    Checksum = (Checksum ^ static_cast<uint8_t>(Text[I])) * 1099511628211u;
  return Checksum;
}

void fill(leveldb::DB &Database, uint32_t Records) {
  Random Random(20261121);
  for (uint32_t I = 0; I < Records; I += 10) {
    leveldb::WriteBatch Batch;
    for (uint32_t J = I; J < I + 10; J++)
      Batch.Put(keyOf(J), valueOf(J, Random));
    check(Database.Write(leveldb::WriteOptions(), &Batch), "Write");
  }
  for (uint32_t I = 0; I < Records; I += 7)
    check(Database.Delete(leveldb::WriteOptions(), keyOf(I)), "Delete");
  for (uint32_t I = 0; I < Records; I += 5)
    check(Database.Put(leveldb::WriteOptions(), keyOf(I), "changed"), "Put");
}

uint64_t readRandomly(leveldb::DB &Database, uint32_t Records, uint32_t Reads,
                      uint32_t Seed) {
  Random Random(Seed);
  uint64_t Checksum = ChecksumSeed;
  std::string Value;
  for (uint32_t I = 0; I < Reads; I++) {
    // One in ten keys was never there.
    const std::string Key = keyOf(Random.next(Records + Records / 9));
    const leveldb::Status Status =
        Database.Get(leveldb::ReadOptions(), Key, &Value);
    if (Status.IsNotFound())
      Value = "none";
    else
      check(Status, "Get");
    Checksum = addToChecksum(Checksum, Value);
  }
  return Checksum;
}

uint64_t readInOrder(leveldb::DB &Database, bool Backwards) {
  const std::unique_ptr<leveldb::Iterator> Iterator(
      Database.NewIterator(leveldb::ReadOptions()));
  uint64_t Checksum = ChecksumSeed;
  for (Backwards ? Iterator->SeekToLast() : Iterator->SeekToFirst();
       Iterator->Valid(); Backwards ? Iterator->Prev() : Iterator->Next()) {
    Checksum = addToChecksum(Checksum, Iterator->key());
    Checksum = addToChecksum(Checksum, Iterator->value());
  }
  check(Iterator->status(), "iteration");
  return Checksum;
}

uint64_t readInThreads(leveldb::DB &Database, uint32_t Records, int Threads) {
  std::vector<uint64_t> Checksums(Threads);
  std::vector<std::thread> Readers;
  for (int I = 0; I < Threads; I++) {
    Readers.emplace_back([&, I] {
      Checksums[I] = readRandomly(Database, Records, 3 * Records, 1 + I);
    });
  }
  uint64_t Sum = 0;
  for (int I = 0; I < Threads; I++) {
    Readers[I].join();
    Sum = Sum * 31 + Checksums[I];
  }
  return Sum;
}

} // namespace

int main(int Argc, char **Argv) {
  const int Scale = Argc > 1 ? std::atoi(Argv[1]) : 1;
  const int Threads = Argc > 2 ? std::atoi(Argv[2]) : 1;
  if (Scale < 1 || Threads < 1) {
    std::fprintf(stderr, "usage: leveldb_workload [SCALE [THREADS]]\n");
    return 2;
  }
  const uint32_t Records = 10000u * Scale;

  // In this order: the database goes first.
  const std::unique_ptr<leveldb::Env> Environment(
      leveldb::NewMemEnv(leveldb::Env::Default()));
  const std::unique_ptr<const leveldb::FilterPolicy> Filter(
      leveldb::NewBloomFilterPolicy(10));
  const std::unique_ptr<leveldb::Cache> Cache(leveldb::NewLRUCache(1 << 20));
  leveldb::Options Options;
  Options.create_if_missing = true;
  Options.env = Environment.get();
  Options.filter_policy = Filter.get();
  Options.block_cache = Cache.get();
  // Small, so that there is something to compact.
  Options.write_buffer_size = 256 << 10;
  leveldb::DB *Opened = nullptr;
  check(leveldb::DB::Open(Options, "/workload", &Opened), "Open");
  const std::unique_ptr<leveldb::DB> Database(Opened);

  fill(*Database, Records);
  Database->CompactRange(nullptr, nullptr);
  const uint64_t Sums[] = {readInThreads(*Database, Records, Threads),
                           readInOrder(*Database, false),
                           readInOrder(*Database, true)};
  std::printf("checksums %016llx %016llx %016llx\n",
              static_cast<unsigned long long>(Sums[0]),
              static_cast<unsigned long long>(Sums[1]),
              static_cast<unsigned long long>(Sums[2]));
  return 0;
}

/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * A deterministic Hunspell workload: words of the dictionary, and words with
 * one wrong letter, are looked up; suggestions are made for a few of these.
 *
 *   hunspell_workload [SCALE]    SCALE rounds over 2,000 words
 */
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>
#include <vector>

#include "hunspell.hxx"
#include "made_data.h"

int main(int argc, char **argv) {
  const int Scale = argc > 1 ? std::atoi(argv[1]) : 1;
  Hunspell Speller(DICTIONARY ".aff", DICTIONARY ".dic", false);
  std::vector<std::string> Words;
  std::ifstream File(DICTIONARY ".dic");
  uint32_t Random = 20261123;
  uint64_t NumRight = 0, NumSuggested = 0, Check = 0;

  for (std::string Line; std::getline(File, Line);)
    Words.push_back(Line.substr(0, Line.find_first_of("/\t\r")));
  if (Words.size() < 1000) {
    std::fprintf(stderr, "hunspell_workload: no dictionary\n");
    return 1;
  }

  for (int I = 0; I < Scale; I++)
    for (int J = 0; J < 2000; J++) {
      std::string Word =
          Words[1 + next_random(&Random, uint32_t(Words.size() - 1))];
      if (J % 2)
        Word[next_random(&Random, uint32_t(Word.size()))] =
            char('a' + next_random(&Random, 26));
      if (Speller.spell(Word.c_str())) {
        NumRight++;
      } else if (J % 400 == 1) {
        char **List = nullptr;
        const int NumWords = Speller.suggest(&List, Word.c_str());
        for (int K = 0; K < NumWords; K++)
          for (const char *At = List[K]; *At; At++)
            Check = Check * 31 + uint8_t(*At);
        NumSuggested += uint64_t(NumWords);
        Speller.free_list(&List, NumWords);
      }
    }
  std::printf("%llu right, %llu suggested, checksum %016llx\n",
              static_cast<unsigned long long>(NumRight),
              static_cast<unsigned long long>(NumSuggested),
              static_cast<unsigned long long>(Check));
  return 0;
}

// Death tests of googletest fork ("fast") or start the program once more
// ("threadsafe"); the children abort, exit or are killed. Forked ones lose no
// counts; a new program that aborts needs crash=dump.
// REQUIRES: googletest
// RUN: %arcline-c++ -O1 -g %s -o prog -lgtest -lpthread
// RUN: env ARCLINE_OPTIONS=out=fast/%%m ./prog fast
// RUN: %arcline export --format=lcov fast | FileCheck %s --check-prefix=FAST
// RUN: env ARCLINE_OPTIONS=out=safe/%%m:crash=dump ./prog threadsafe
// RUN: %arcline export --format=lcov safe | FileCheck %s --check-prefix=SAFE
// FAST: FNDA:28,checked
// SAFE: FNDA:27,checked
#include <gtest/gtest.h>

#include <csignal>
#include <cstdlib>
#include <unistd.h>

extern "C" __attribute__((noinline)) int checked(int X) {
  __asm__ volatile("");
  return X + 1;
}

static void abortAfterThree() {
  for (int I = 0; I < 3; I++)
    checked(I);
  abort();
}

TEST(Plain, Ten) {
  for (int I = 0; I < 10; I++)
    EXPECT_EQ(checked(I), I + 1);
}

TEST(SomeDeathTest, Aborts) {
  for (int I = 0; I < 5; I++)
    EXPECT_DEATH(abortAfterThree(), "");
}

TEST(SomeDeathTest, Exits) {
  EXPECT_EXIT((checked(1), exit(3)), testing::ExitedWithCode(3), "");
  EXPECT_EXIT((checked(1), _exit(4)), testing::ExitedWithCode(4), "");
}

TEST(SomeDeathTest, IsKilled) {
  if (GTEST_FLAG_GET(death_test_style) == "fast")
    EXPECT_EXIT((checked(1), raise(SIGKILL)), testing::KilledBySignal(SIGKILL),
                "");
}

int main(int argc, char **argv) {
  testing::InitGoogleTest(&argc, argv);
  if (argc > 1)
    GTEST_FLAG_SET(death_test_style, argv[1]);
  return RUN_ALL_TESTS();
}

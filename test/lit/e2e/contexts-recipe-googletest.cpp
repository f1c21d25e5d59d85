// The recipe of arcline-tests(1) for GoogleTest names the tests.
// REQUIRES: googletest
// RUN: %arcline-c++ -O1 -g --arcline-suite=suite %s -o unit -lgtest -lgtest_main \
// RUN:   -lpthread
// RUN: python3 %S/Inputs/recipe.py %root/docs/arcline-tests.1 '.B GoogleTest' \
// RUN:   > each.sh && sh each.sh
// RUN: %arcline tests checked suite > hits
// RUN: printf '%%s\n' List.Empty List.Full Tree.Empty | diff - hits
// RUN: %arcline tests 'List_Full_Test::TestBody()' suite | grep -x List.Full
#include <gtest/gtest.h>

__attribute__((noinline)) static int checked(int X) { return X + 1; }

TEST(List, Empty) { EXPECT_EQ(checked(0), 1); }
TEST(List, Full) { EXPECT_EQ(checked(1), 2); }
TEST(Tree, Empty) { EXPECT_EQ(checked(2), 3); }
TEST(Tree, None) { EXPECT_EQ(1, 1); }

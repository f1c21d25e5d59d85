// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// A deterministic workload for muParser: formulas are parsed, some with
/// mistakes, and calculated for many values.
///
///   muparser_workload [SCALE]    SCALE times 100 formulas
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "made_data.h"
#include "muParser.h"

namespace {

std::uint64_t check;

void add(double value) {
  // All values that are not numbers or too large for one count the same.
  check =
      check * 31 +
      (std::fabs(value) < 1e12 ? std::uint64_t(std::llround(value * 1000)) : 1);
}

double hypotenuse(double a, double b) { return std::sqrt(a * a + b * b); }
double kilo(double a) { return a * 1000; }
double invert(double a) { return a == 0; }
double rest(double a, double b) { return b == 0 ? 0 : std::fmod(a, b); }
double number(const char *text) { return std::atof(text); }
double mean(const double *values, int n) {
  double sum = 0;
  for (int i = 0; i < n; i++)
    sum += values[i];
  return n ? sum / n : 0;
}

double *make_variable(const char *name, void *data) {
  auto *const variables = static_cast<double *>(data);
  variables[0] += 1;
  return variables + 1 + static_cast<unsigned char>(name[0]) % 8;
}

/// A formula of x, y, z, numbers, operators and functions, in parentheses.
void make_formula(std::string &out, std::uint32_t &random, int depth) {
  static const char *const operators[] = {
      "+", "-", "*", "/", "<", ">=", "==", "&&", "||", "!=", " rem "};
  static const char *const functions[] = {"sin", "cos", "abs",   "sqrt", "exp",
                                          "min", "max", "hypot", "mean", "ln"};
  switch (depth ? next_random(&random, 8) : next_random(&random, 2)) {
  case 0:
    out += static_cast<char>('x' + next_random(&random, 3));
    break;
  case 1:
    out += std::to_string(next_random(&random, 1000));
    out += next_random(&random, 2) ? ".25" : next_random(&random, 9) ? "" : "k";
    break;
  case 2: {
    const unsigned function = next_random(&random, 10);
    out += functions[function];
    out += '(';
    make_formula(out, random, depth - 1);
    if (function > 4 && function < 9) {
      out += ", ";
      make_formula(out, random, depth - 1);
    }
    out += ')';
    break;
  }
  case 3:
    out += '(';
    make_formula(out, random, depth - 1);
    out += " > 1 ? ";
    make_formula(out, random, depth - 1);
    out += " : ";
    make_formula(out, random, depth - 1);
    out += ')';
    break;
  case 4:
    out += next_random(&random, 2) ? "-(" : "!(";
    make_formula(out, random, depth - 1);
    out += ')';
    break;
  case 5:
    out += "(x*x + 2*";
    make_formula(out, random, depth - 1);
    out += ")^2";
    break;
  default:
    out += '(';
    make_formula(out, random, depth - 1);
    out += operators[next_random(&random, 11)];
    make_formula(out, random, depth - 1);
    out += ')';
  }
}

} // namespace

int main(int argc, char **argv) {
  const int scale = argc > 1 ? std::atoi(argv[1]) : 1;
  std::uint32_t random = 20261125;
  double x = 0, y = 0, z = 0, made[9] = {};
  mu::Parser parser;
  parser.DefineVar("x", &x);
  parser.DefineVar("y", &y);
  parser.DefineVar("z", &z);
  parser.DefineConst("third", 1.0 / 3);
  parser.DefineFun("hypot", hypotenuse);
  parser.DefineFun("mean", mean);
  parser.DefineFun("number", number);
  parser.DefinePostfixOprt("k", kilo);
  parser.DefineInfixOprt("!", invert);
  parser.DefineOprt("rem", rest, mu::prMUL_DIV);
  parser.SetVarFactory(make_variable, made);
  for (int i = 0; i < scale * 100; i++) {
    std::string formula;
    make_formula(formula, random, 5);
    if (i % 7 == 0)
      formula += " + number(\"1.5\") * (third + a_" + std::to_string(i % 50) +
                 "), a_1 = x * 2, a_1";
    if (i % 10 == 0) // a mistake somewhere
      formula[next_random(&random, std::uint32_t(formula.size()))] =
          "#)(,?"[next_random(&random, 5)];
    try {
      parser.SetExpr(formula);
      for (int j = 0; j < 40; j++) {
        x = j / 8.0;
        y = x * x - 5;
        z = j % 3;
        add(parser.Eval());
      }
      check += parser.GetUsedVar().size();
    } catch (const mu::Parser::exception_type &error) {
      check = check * 31 + unsigned(error.GetCode());
      check += std::uint64_t(error.GetPos()) + error.GetMsg().size();
    }
  }
  std::printf("%.0f variables, checksum %016llx\n", made[0],
              static_cast<unsigned long long>(check));
  return 0;
}

/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * A deterministic SQLite workload, to be linked with the amalgamation: an
 * in-memory shop with customers, goods and orders that is filled, queried,
 * changed and partly deleted. Every row that a query returns goes into a
 * checksum, so that two builds can be compared by their output.
 *
 *   sqlite_workload [SCALE]    SCALE 40, the default, takes some seconds
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "sqlite3.h"

struct workload {
  sqlite3 *db;
  uint32_t random;   // state of a small generator: the same everywhere
  uint64_t checksum; // FNV-1a of all results
  long n_rows;
};

static uint32_t next_random(struct workload *workload, uint32_t limit) {
  workload->random = workload->random * 1664525u + 1013904223u;
  return (workload->random >> 8) % limit;
}

static void die(const struct workload *workload, const char *what) {
  fprintf(stderr, "sqlite_workload: %s: %s\n", what,
          sqlite3_errmsg(workload->db));
  exit(1);
}

static void add_to_checksum(struct workload *workload, const char *text) {
  for (; *text; text++)
    workload->checksum = (workload->checksum ^ (uint8_t)*text) * 1099511628211u;
}

static int take_row(void *context, int n_columns, char **values, char **names) {
  struct workload *workload = context;
  (void)names;
  for (int i = 0; i < n_columns; i++)
    add_to_checksum(workload, values[i] ? values[i] : "(null)");
  workload->n_rows++;
  return 0;
}

static void run(struct workload *workload, const char *sql) {
  if (sqlite3_exec(workload->db, sql, take_row, workload, NULL) != SQLITE_OK)
    die(workload, sql);
}

static sqlite3_stmt *prepare(struct workload *workload, const char *sql) {
  sqlite3_stmt *statement;
  if (sqlite3_prepare_v2(workload->db, sql, -1, &statement, NULL) != SQLITE_OK)
    die(workload, sql);
  return statement;
}

static void step(struct workload *workload, sqlite3_stmt *statement) {
  if (sqlite3_step(statement) != SQLITE_DONE)
    die(workload, "step");
  sqlite3_reset(statement);
}

static void make_word(struct workload *workload, char *out, int n_syllables) {
  static const char *const syllables[] = {"ar", "clin", "be", "do", "fu", "gra",
                                          "ho", "ki",   "lo", "ne", "su", "tz"};
  *out = '\0';
  for (int i = 0; i < n_syllables; i++)
    for (const char *from = syllables[next_random(workload, 12)]; *from;)
      *out++ = *from++;
  *out = '\0';
}

static void make_tables(struct workload *workload) {
  run(workload,
      "CREATE TABLE customer(id INTEGER PRIMARY KEY, name TEXT, city TEXT);"
      "CREATE TABLE goods(id INTEGER PRIMARY KEY, label TEXT UNIQUE,"
      "                   price REAL);"
      "CREATE TABLE sale(id INTEGER PRIMARY KEY, customer INT, goods INT,"
      "                  amount INT, day INT, note TEXT);"
      "CREATE TRIGGER clean AFTER DELETE ON customer BEGIN"
      "  DELETE FROM sale WHERE customer = old.id; END;");
}

static void fill(struct workload *workload, int scale) {
  char word[64];
  sqlite3_stmt *customer =
      prepare(workload, "INSERT INTO customer(name, city) VALUES(?, ?)");
  sqlite3_stmt *goods =
      prepare(workload, "INSERT OR IGNORE INTO goods(label, price) VALUES(?, "
                        "round(? / 7.0, 2))");
  sqlite3_stmt *sale =
      prepare(workload, "INSERT INTO sale(customer, goods, amount, day, note) "
                        "VALUES(?, ?, ?, ?, upper(?) || '-' || ?)");

  run(workload, "BEGIN");
  for (int i = 0; i < 300 * scale; i++) {
    make_word(workload, word, 3);
    sqlite3_bind_text(customer, 1, word, -1, SQLITE_TRANSIENT);
    make_word(workload, word, 1);
    sqlite3_bind_text(customer, 2, word, -1, SQLITE_TRANSIENT);
    step(workload, customer);
  }
  for (int i = 0; i < 100 * scale; i++) {
    make_word(workload, word, 4);
    sqlite3_bind_text(goods, 1, word, -1, SQLITE_TRANSIENT);
    sqlite3_bind_int(goods, 2, 1 + (int)next_random(workload, 5000));
    step(workload, goods);
  }
  run(workload, "COMMIT; BEGIN");
  for (int i = 0; i < 8000 * scale; i++) {
    make_word(workload, word, 2);
    sqlite3_bind_int(sale, 1, 1 + (int)next_random(workload, 300 * scale));
    sqlite3_bind_int(sale, 2, 1 + (int)next_random(workload, 100 * scale));
    sqlite3_bind_int(sale, 3, 1 + (int)next_random(workload, 9));
    sqlite3_bind_int(sale, 4, (int)next_random(workload, 365));
    sqlite3_bind_text(sale, 5, word, -1, SQLITE_TRANSIENT);
    sqlite3_bind_int(sale, 6, i);
    step(workload, sale);
  }
  run(workload, "COMMIT");
  sqlite3_finalize(customer);
  sqlite3_finalize(goods);
  sqlite3_finalize(sale);
}

static void query(struct workload *workload) {
  run(workload, "SELECT c.city, count(*), round(sum(s.amount * g.price), 2)"
                "  FROM sale s JOIN customer c ON c.id = s.customer"
                "              JOIN goods g ON g.id = s.goods"
                "  GROUP BY c.city ORDER BY 3 DESC");
  run(workload, "SELECT day / 7, min(amount), max(amount), avg(amount),"
                "       count(DISTINCT goods)"
                "  FROM sale GROUP BY 1 ORDER BY 1");
  run(workload, "SELECT substr(note, 1, 2), count(*), group_concat(day % 3, '')"
                "  FROM sale WHERE note LIKE '%CLIN%' OR note GLOB 'AR*'"
                "  GROUP BY 1");
  run(workload, "SELECT name, length(name), replace(name, 'a', 'x'),"
                "       instr(name, 'ne')"
                "  FROM customer WHERE name > 'f' ORDER BY name DESC, id");
  run(workload, "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL"
                "    SELECT i + 1 FROM n WHERE i < 40000)"
                "  SELECT sum(i * i % 97), max(i) FROM n");
  run(workload, "SELECT c.name, (SELECT count(*) FROM sale s"
                "                WHERE s.customer = c.id AND s.amount > 5)"
                "  FROM customer c WHERE EXISTS"
                "    (SELECT 1 FROM sale s WHERE s.customer = c.id"
                "     AND s.day = 100) ORDER BY 2 DESC, 1 LIMIT 50");
  run(workload, "SELECT id, sum(amount) OVER (ORDER BY day, id"
                "           ROWS BETWEEN 5 PRECEDING AND CURRENT ROW)"
                "  FROM sale WHERE goods % 10 = 3 ORDER BY id LIMIT 2000");
}

static void look_up(struct workload *workload, int scale) {
  sqlite3_stmt *statement =
      prepare(workload, "SELECT note, amount FROM sale"
                        "  WHERE customer = ? AND day BETWEEN ? AND ? + 30");
  for (int i = 0; i < 3000 * scale; i++) {
    const int day = (int)next_random(workload, 330);
    sqlite3_bind_int(statement, 1, 1 + (int)next_random(workload, 300 * scale));
    sqlite3_bind_int(statement, 2, day);
    sqlite3_bind_int(statement, 3, day);
    while (sqlite3_step(statement) == SQLITE_ROW) {
      add_to_checksum(workload,
                      (const char *)sqlite3_column_text(statement, 0));
      workload->n_rows++;
    }
    sqlite3_reset(statement);
  }
  sqlite3_finalize(statement);
}

static void change(struct workload *workload) {
  run(workload, "BEGIN;"
                "UPDATE sale SET amount = amount + 1 WHERE day % 5 = 0;"
                "UPDATE goods SET price = round(price * 1.1, 2)"
                "  WHERE label LIKE 'a%';"
                "SAVEPOINT s; DELETE FROM sale; ROLLBACK TO s;"
                "DELETE FROM customer WHERE id % 11 = 0;"
                "UPDATE sale SET note = lower(trim(note, 'A')) || hex(day)"
                "  WHERE goods % 4 = 1;"
                "COMMIT; REINDEX; ANALYZE;");
}

int main(int argc, char **argv) {
  struct workload workload = {.random = 20261121,
                              .checksum = 14695981039346656037u};
  const int scale = argc > 1 ? atoi(argv[1]) : 40;

  if (scale < 1 || sqlite3_open(":memory:", &workload.db) != SQLITE_OK) {
    fprintf(stderr, "usage: sqlite_workload [SCALE]\n");
    return 2;
  }
  make_tables(&workload);
  fill(&workload, scale);
  run(&workload, "CREATE INDEX sale_customer ON sale(customer, day);"
                 "CREATE INDEX sale_goods ON sale(goods);"
                 "CREATE INDEX customer_city ON customer(city)");
  query(&workload);
  look_up(&workload, scale);
  change(&workload);
  query(&workload);
  run(&workload, "PRAGMA integrity_check");
  sqlite3_close(workload.db);
  printf("%ld rows, checksum %016llx\n", workload.n_rows,
         (unsigned long long)workload.checksum);
  return 0;
}

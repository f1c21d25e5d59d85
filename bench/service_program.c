/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * The service of bench/service: eight threads that serve requests on loopback,
 * busy all the time, and its client.
 *
 *   service serve PORT-FILE     until SIGTERM; then prints its account
 *   service ask PORT-FILE       eight connections, until the service is gone
 *   service account PORT-FILE   prints the account of a running service
 *
 * An account has a row "NAME COUNT" for each line here with add(NAME): its
 * number of runs, counted by the service itself.
 */
#include <arpa/inet.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum {
  N_THREADS = 8,
  N_PER_CONNECTION = 5000, /* requests */
  N_SORTED = 200,
  PER_JOB = 64, /* requests; one of them starts a thread */
};

enum { REQUESTS, COMPARISONS, CHARACTERS, JOBS, N_COUNTED };

/* Other threads read it while its thread counts. */
struct account {
  _Atomic uint64_t counts[N_COUNTED];
  struct account *next;
};

static struct account *_Atomic accounts;
static _Thread_local struct account *mine;
static int listener;

__attribute__((noreturn)) static void fail(const char *what) {
  perror(what);
  exit(1);
}

/* Called by its thread only. */
static inline void add(int what) {
  const uint64_t n =
      atomic_load_explicit(&mine->counts[what], memory_order_relaxed);
  atomic_store_explicit(&mine->counts[what], n + 1, memory_order_relaxed);
}

static void keep_account(void) {
  mine = calloc(1, sizeof(*mine));
  if (!mine)
    fail("account");
  mine->next = atomic_load(&accounts);
  while (!atomic_compare_exchange_weak(&accounts, &mine->next, mine))
    continue;
}

static int compare(const void *a, const void *b) {
  add(COMPARISONS);
  return *(const uint32_t *)a < *(const uint32_t *)b   ? -1
         : *(const uint32_t *)a > *(const uint32_t *)b ? 1
                                                       : 0;
}

static uint32_t sort(uint32_t seed) {
  uint32_t numbers[N_SORTED];

  for (int i = 0; i < N_SORTED; i++) {
    seed = seed * 1664525 + 1013904223;
    numbers[i] = seed;
  }
  qsort(numbers, N_SORTED, sizeof(*numbers), compare);
  return numbers[N_SORTED / 2];
}

static uint32_t hash(const char *text, size_t n) {
  uint32_t value = 2166136261;

  for (size_t i = 0; i < n; i++) {
    add(CHARACTERS);
    value = (value ^ (unsigned char)text[i]) * 16777619;
  }
  return value;
}

static void *run_job(void *argument) {
  struct account *const creators = ((struct account **)argument)[0];
  uint32_t *const value = ((void **)argument)[1];

  mine = creators; // which waits
  add(JOBS);
  *value = sort(*value);
  return NULL;
}

static uint32_t in_a_thread(uint32_t seed) {
  uint32_t value = seed;
  void *argument[] = {mine, &value};
  pthread_t thread;

  if (pthread_create(&thread, NULL, run_job, argument))
    fail("pthread_create");
  pthread_join(thread, NULL);
  return value;
}

static uint32_t handle(const char *text, size_t n) {
  const uint32_t value = hash(text, n);

  add(REQUESTS);
  return value % PER_JOB == 0 ? in_a_thread(value) : sort(value);
}

static void print_account(int fd) {
  static const char *const names[] = {[REQUESTS] = "REQUESTS",
                                      [COMPARISONS] = "COMPARISONS",
                                      [CHARACTERS] = "CHARACTERS",
                                      [JOBS] = "JOBS"};

  for (int i = 0; i < N_COUNTED; i++) {
    uint64_t sum = 0;
    for (const struct account *it = atomic_load(&accounts); it; it = it->next)
      sum += atomic_load_explicit(&it->counts[i], memory_order_relaxed);
    dprintf(fd, "%s %llu\n", names[i], (unsigned long long)sum);
  }
}

/* An empty line requests the account. */
static void serve_connection(int fd) {
  char line[256];
  ssize_t n;

  while ((n = read(fd, line, sizeof(line))) > 0) {
    if (line[0] == '\n') {
      print_account(fd);
      return;
    }
    const uint32_t value = handle(line, (size_t)n);
    if (write(fd, &value, sizeof(value)) != sizeof(value))
      return;
  }
}

static void *serve(void *argument) {
  (void)argument;
  keep_account();
  for (int fd; (fd = accept(listener, NULL, NULL)) >= 0;) {
    serve_connection(fd);
    close(fd);
  }
  return NULL;
}

static void stop(int signal_number) {
  (void)signal_number;
  shutdown(listener, SHUT_RDWR);
}

static void write_port(const char *path, int port) {
  char unfinished[4096];

  snprintf(unfinished, sizeof(unfinished), "%s.new", path);
  FILE *out = fopen(unfinished, "w");
  if (!out || fprintf(out, "%d\n", port) < 0 || fclose(out) ||
      rename(unfinished, path))
    fail(path);
}

static int run_service(const char *port_file) {
  struct sockaddr_in address = {.sin_family = AF_INET,
                                .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  socklen_t length = sizeof(address);
  pthread_t threads[N_THREADS];

  signal(SIGTERM, stop);
  signal(SIGPIPE, SIG_IGN);
  listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (bind(listener, (struct sockaddr *)&address, sizeof(address)) ||
      listen(listener, 2 * N_THREADS) ||
      getsockname(listener, (struct sockaddr *)&address, &length))
    fail("loopback");
  for (int i = 0; i < N_THREADS; i++)
    if (pthread_create(&threads[i], NULL, serve, NULL))
      fail("pthread_create");
  write_port(port_file, ntohs(address.sin_port));
  for (int i = 0; i < N_THREADS; i++)
    pthread_join(threads[i], NULL);
  print_account(STDOUT_FILENO);
  return 0;
}

static int port;

/* Returns -1 if the service has ended. */
static int call_service(void) {
  const struct sockaddr_in address = {.sin_family = AF_INET,
                                      .sin_port = htons((uint16_t)port),
                                      .sin_addr.s_addr =
                                          htonl(INADDR_LOOPBACK)};
  const int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

  if (fd < 0 || connect(fd, (const struct sockaddr *)&address, sizeof(address)))
    return -1;
  return fd;
}

static void *ask(void *argument) {
  unsigned long n = (unsigned long)(uintptr_t)argument << 40;

  for (int fd; (fd = call_service()) >= 0; close(fd))
    for (int i = 0; i < N_PER_CONNECTION; i++) {
      char line[64];
      uint32_t answer;
      const int length = snprintf(line, sizeof(line), "request %lu\n", n++);
      if (write(fd, line, (size_t)length) != length ||
          read(fd, &answer, sizeof(answer)) != sizeof(answer))
        return NULL;
    }
  return NULL;
}

static int run_client(void) {
  pthread_t threads[N_THREADS];

  signal(SIGPIPE, SIG_IGN);
  for (uintptr_t i = 0; i < N_THREADS; i++)
    if (pthread_create(&threads[i], NULL, ask, (void *)i))
      fail("pthread_create");
  for (int i = 0; i < N_THREADS; i++)
    pthread_join(threads[i], NULL);
  return 0;
}

static int show_account(void) {
  char text[4096];
  const int fd = call_service();

  if (fd < 0 || write(fd, "\n", 1) != 1)
    fail("service");
  for (ssize_t n; (n = read(fd, text, sizeof(text))) > 0;)
    fwrite(text, 1, (size_t)n, stdout);
  return 0;
}

int main(int argc, char **argv) {
  if (argc == 3 && !strcmp(argv[1], "serve"))
    return run_service(argv[2]);
  FILE *in = argc == 3 ? fopen(argv[2], "r") : NULL;
  if (!in || fscanf(in, "%d", &port) != 1)
    fail("usage: service serve|ask|account PORT-FILE");
  fclose(in);
  return !strcmp(argv[1], "account") ? show_account() : run_client();
}

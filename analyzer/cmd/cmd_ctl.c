/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * `arcline ctl`: commands to a running program. The form of commands and
 * answers is in arcline/ctl_format.h.
 */
#include "arcline/ctl_format.h"
#include "base/err.h"
#include "base/options.h"
#include "cmd/commands.h"
#include "cmd/live_process.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

enum {
  OPT_RESET = 1,
  OPT_TIMEOUT,
  OPT_FORCE,
  DEFAULT_TIMEOUT_S = 10,
  MAX_TIMEOUT_S = 86400,
  PATH_BYTES = 4096,
  MAX_THREADS = 64, /* to send a command to */
  MAX_SENT = 4,     /* times that a command is sent */
  RESEND_MS = 100,  /* after that; each time four times as long */
  LOOK_MS = 50,     /* between looks at whether the process lives */
  TURN_NS = 100000, /* the least there is */
  RETRY_MS = 2,     /* between looks at whether a signal can be sent */
};

static const struct option_spec option_specs[] = {
    {OPT_RESET, 'r', "reset", OPTION_NO_ARGUMENT, NULL,
     "with dump: start from zero afterwards"},
    {OPT_TIMEOUT, 't', "timeout", OPTION_ARGUMENT, "SECONDS",
     "how long to wait for the program (default 10)"},
    {OPT_FORCE, 'f', "force", OPTION_NO_ARGUMENT, NULL,
     "also if it has filtered its system calls since it started"},
    {0},
};

static const struct {
  const char *name;
  enum arcline_ctl_command code;
} known_commands[] = {
    {"dump", ARCLINE_CTL_DUMP},     {"reset", ARCLINE_CTL_RESET},
    {"start", ARCLINE_CTL_START},   {"stop", ARCLINE_CTL_STOP},
    {"status", ARCLINE_CTL_STATUS},
};

struct ctl_options {
  bool is_reset;
  bool is_forced;
  long timeout_s;
  pid_t pid;
  enum arcline_ctl_command command;
};

/** A command on its way. */
struct exchange {
  uint64_t number;
  int lock; /* sockets; -1: none */
  int abstract;
  int named;
  char path[sizeof(((struct sockaddr_un *)NULL)->sun_path)]; /* of named */
  int64_t deadline_ms;
  char answer[ARCLINE_CTL_MAX_ANSWER + 1];
};

static int parse_operands(int argc, char **argv, struct ctl_options *out,
                          struct err *err) {
  long pid;

  if (argc != 2)
    return err_set(err, ERR_USAGE,
                   "usage: arcline ctl [OPTION]... PID COMMAND; try --help");
  if (!options_parse_number(argv[0], &pid) || pid <= 0 || pid > INT32_MAX)
    return err_set(err, ERR_USAGE, "%s: is not a process id", argv[0]);
  out->pid = (pid_t)pid;
  for (size_t i = 0; i < sizeof(known_commands) / sizeof(known_commands[0]);
       i++)
    if (strcmp(argv[1], known_commands[i].name) == 0)
      out->command = known_commands[i].code;
  if (!out->command)
    return err_set(err, ERR_USAGE,
                   "%s: unknown command; dump, reset, start, stop and status "
                   "are known",
                   argv[1]);
  if (out->is_reset && out->command != ARCLINE_CTL_DUMP)
    return err_set(err, ERR_USAGE, "--reset: goes with dump only");
  if (out->is_reset)
    out->command = ARCLINE_CTL_DUMP_AND_RESET;
  return 0;
}

static int apply(void *context, int id, const char *value, struct err *err) {
  struct ctl_options *const options = context;

  if (id == OPT_RESET)
    options->is_reset = true;
  else if (id == OPT_FORCE)
    options->is_forced = true;
  else if (!options_parse_number(value, &options->timeout_s) ||
           options->timeout_s < 0 || options->timeout_s > MAX_TIMEOUT_S)
    return err_set(err, ERR_USAGE,
                   "--timeout=%s: must be a number of seconds; try --help",
                   value);
  return 0;
}

static int parse(int argc, char **argv, struct ctl_options *out,
                 struct err *err) {
  int first;

  *out = (struct ctl_options){.timeout_s = DEFAULT_TIMEOUT_S};
  const int rc =
      options_parse(option_specs, argc, argv, apply, out, &first, err);
  return rc ? rc : parse_operands(argc - first, argv + first, out, err);
}

static int64_t now_ms(void) {
  struct timespec now;

  clock_gettime(CLOCK_MONOTONIC, &now);
  return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static void sleep_ms(long ms) {
  nanosleep(&(struct timespec){.tv_nsec = ms * 1000000}, NULL);
}

/** Returns a datagram socket with that name, or -1 with errno set. */
static int open_socket(const char *name, bool is_abstract) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  const size_t n = strlen(name);
  const int yes = 1;
  const int fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);

  if (fd < 0)
    return -1;
  memcpy(address.sun_path + is_abstract, name, n);
  if (setsockopt(fd, SOL_SOCKET, SO_PASSCRED, &yes, sizeof(yes)) ||
      bind(fd, (const struct sockaddr *)&address,
           (socklen_t)(offsetof(struct sockaddr_un, sun_path) + is_abstract +
                       n))) {
    const int error = errno;
    close(fd);
    errno = error;
    return -1;
  }
  return fd;
}

/** One at a time: two signals for one process may become one. */
static int lock(pid_t pid, struct exchange *exchange, struct err *err) {
  char name[64];

  snprintf(name, sizeof(name), ARCLINE_CTL_SOCKET "lock-%d", (int)pid);
  while ((exchange->lock = open_socket(name, true)) < 0) {
    if (errno != EADDRINUSE)
      return err_set(err, ERR_SYSTEM, "cannot open a socket: %s",
                     strerror(errno));
    if (now_ms() > exchange->deadline_ms)
      return err_set(err, ERR_SYSTEM, "%d: others keep giving it commands",
                     (int)pid);
    sleep_ms(1);
  }
  return 0;
}

static int open_sockets(pid_t pid, struct exchange *exchange, struct err *err) {
  char name[64];

  if (getrandom(&exchange->number, sizeof(exchange->number), 0) < 0)
    return err_set(err, ERR_SYSTEM, "no random numbers: %s", strerror(errno));
  exchange->number &= ARCLINE_CTL_NUMBER_MASK;
  snprintf(name, sizeof(name), ARCLINE_CTL_SOCKET "%" PRIu64, exchange->number);
  exchange->abstract = open_socket(name, true);
  if (exchange->abstract < 0)
    return err_set(err, ERR_SYSTEM, "cannot open a socket: %s",
                   strerror(errno));
  if (!live_process_is_elsewhere(pid))
    return 0;
  snprintf(exchange->path, sizeof(exchange->path),
           "/proc/%d/root" ARCLINE_CTL_PATH "%" PRIu64, (int)pid,
           exchange->number);
  exchange->named = open_socket(exchange->path, false);
  if (exchange->named < 0)
    return err_set(err, ERR_SYSTEM,
                   "%s: cannot open a socket in the program's container: %s",
                   exchange->path, strerror(errno));
  chmod(exchange->path, 0777); // whoever the program is; its id is checked
  return 0;
}

static void close_sockets(struct exchange *exchange) {
  if (exchange->named >= 0) {
    close(exchange->named);
    unlink(exchange->path);
  }
  if (exchange->abstract >= 0)
    close(exchange->abstract);
  if (exchange->lock >= 0)
    close(exchange->lock);
}

/** Queue the signal. Returns 0, or -1 with *err set. */
static int send_command(const struct ctl_options *options,
                        const struct exchange *exchange, struct err *err) {
  const uint64_t value =
      (uint64_t)ARCLINE_CTL_MAGIC << ARCLINE_CTL_MAGIC_SHIFT |
      (uint64_t)options->command << ARCLINE_CTL_COMMAND_SHIFT |
      exchange->number;
  siginfo_t info = {.si_signo = SIGPROF, .si_code = SI_QUEUE};
  pid_t threads[MAX_THREADS];
  int n;

  info.si_pid = getpid();
  info.si_uid = getuid();
  info.si_value.sival_ptr = (void *)(uintptr_t)value;
  while ((n = live_process_find_threads(options->pid, threads, MAX_THREADS)) <
         0) {
    if (live_process_has_ended(options->pid))
      return err_set(err, ERR_INPUT, "%d: has ended", (int)options->pid);
    if (now_ms() > exchange->deadline_ms)
      return err_set(err, ERR_INPUT, "%d: all threads block SIGPROF",
                     (int)options->pid);
    sleep_ms(RETRY_MS);
  }
  if (live_process_check(options->pid, options->is_forced, err))
    return -1;
  // The first of them to get a processor will do it.
  bool is_sent = false;
  for (int i = 0; i < n; i++)
    is_sent |= syscall(SYS_rt_tgsigqueueinfo, options->pid, threads[i], SIGPROF,
                       &info) == 0;
  if (!is_sent && syscall(SYS_rt_sigqueueinfo, options->pid, SIGPROF, &info))
    return err_set(err, ERR_SYSTEM, "%d: cannot send a signal: %s",
                   (int)options->pid, strerror(errno));
  return 0;
}

/** Read an answer. Returns whether there is one from the process. */
static bool receive(int fd, pid_t pid, struct exchange *exchange) {
  union {
    struct cmsghdr header;
    char bytes[CMSG_SPACE(sizeof(struct ucred))];
  } control;
  struct iovec text = {.iov_base = exchange->answer,
                       .iov_len = sizeof(exchange->answer) - 1};
  struct msghdr message = {.msg_iov = &text,
                           .msg_iovlen = 1,
                           .msg_control = &control,
                           .msg_controllen = sizeof(control)};
  const ssize_t n = recvmsg(fd, &message, MSG_DONTWAIT | MSG_CMSG_CLOEXEC);

  if (n < 2)
    return false;
  const struct cmsghdr *header = CMSG_FIRSTHDR(&message);
  struct ucred sender = {0};
  if (header && header->cmsg_level == SOL_SOCKET &&
      header->cmsg_type == SCM_CREDENTIALS)
    memcpy(&sender, CMSG_DATA(header), sizeof(sender));
  exchange->answer[n] = '\0';
  return sender.pid == pid;
}

static bool wait_answer(pid_t pid, struct exchange *exchange, int64_t until) {
  struct pollfd sockets[] = {{.fd = exchange->abstract, .events = POLLIN},
                             {.fd = exchange->named, .events = POLLIN}};

  for (;;) {
    const int64_t left = until - now_ms();
    const bool is_ended = live_process_has_ended(pid);
    if (poll(sockets, 2, left > 0 && !is_ended ? LOOK_MS : 0) > 0) {
      for (size_t i = 0; i < 2; i++)
        if (sockets[i].revents && receive(sockets[i].fd, pid, exchange))
          return true;
    } else if (left <= 0 || is_ended) {
      return false;
    }
  }
}

static int exchange_command(const struct ctl_options *options,
                            struct exchange *exchange, struct err *err) {
  int64_t interval_ms = RESEND_MS;

  for (int n_sent = 1;; n_sent++) {
    if (send_command(options, exchange, err))
      return -1;
    int64_t until = now_ms() + interval_ms;
    if (n_sent == MAX_SENT || until > exchange->deadline_ms)
      until = exchange->deadline_ms;
    if (wait_answer(options->pid, exchange, until))
      return 0;
    if (live_process_has_ended(options->pid))
      return err_set(err, ERR_INPUT, "%d: ended before it answered",
                     (int)options->pid);
    if (now_ms() >= exchange->deadline_ms)
      return err_set(err, ERR_INPUT,
                     "%d: no answer within %ld s; the program may have taken "
                     "SIGPROF for itself",
                     (int)options->pid, options->timeout_s);
    interval_ms *= 4;
  }
}

/** Print text of the program's, of which we trust no control character. */
static void print_safely(const char *text, size_t n) {
  for (size_t i = 0; i < n; i++)
    putchar(iscntrl((unsigned char)text[i]) ? '?' : text[i]);
}

static void print_answer(const struct ctl_options *options,
                         const char *answer) {
  char folder[PATH_BYTES];
  const bool is_status = options->command == ARCLINE_CTL_STATUS;

  live_process_link(options->pid, is_status ? "exe" : "cwd", folder,
                    sizeof(folder));
  if (is_status) {
    printf("process %d\nprogram ", (int)options->pid);
    print_safely(folder, strlen(folder));
    putchar('\n');
  }
  for (const char *line = strchr(answer, '\n'); line;) {
    const char *next = strchr(++line, '\n');
    // Names of files are relative to the program's folder.
    if (!is_status && *line != '/') {
      print_safely(folder, strlen(folder));
      putchar('/');
    }
    print_safely(line, next ? (size_t)(next - line) : strlen(line));
    putchar('\n');
    line = next;
  }
}

static int refuse(const struct ctl_options *options, const char *answer,
                  struct err *err) {
  char text[ERR_TEXT_BYTES];
  size_t n = 0;

  // The first newline stands before the first line.
  for (const char *at = answer + 2; *at && n < sizeof(text) - 3; at++) {
    if (*at != '\n') {
      text[n++] = iscntrl((unsigned char)*at) ? '?' : *at;
    } else if (n) {
      text[n++] = ';';
      text[n++] = ' ';
    }
  }
  text[n] = '\0';
  return err_set(err, ERR_INPUT, "%d: %s", (int)options->pid, text);
}

/** Ask for short turns at the processor, which come sooner where all are busy
 * (Linux 6.12; others ignore it): all that is to be done takes less than one.
 */
static void want_short_turns(void) {
  struct {
    uint32_t size, policy;
    uint64_t flags;
    int32_t nice;
    uint32_t priority;
    uint64_t runtime_ns, deadline_ns, period_ns;
  } attributes = {0};

  if (syscall(SYS_sched_getattr, 0, &attributes, sizeof(attributes), 0) ||
      attributes.policy != SCHED_OTHER)
    return;
  attributes.size = sizeof(attributes);
  attributes.runtime_ns = TURN_NS;
  syscall(SYS_sched_setattr, 0, &attributes, 0);
}

static int control(const struct ctl_options *options, struct exchange *exchange,
                   struct err *err) {
  exchange->deadline_ms = now_ms() + 1000 * (int64_t)options->timeout_s;
  want_short_turns();
  if (live_process_check(options->pid, options->is_forced, err) ||
      lock(options->pid, exchange, err) ||
      open_sockets(options->pid, exchange, err) ||
      exchange_command(options, exchange, err))
    return -1;
  if (strncmp(exchange->answer, "ok", 2) != 0)
    return refuse(options, exchange->answer, err);
  print_answer(options, exchange->answer);
  return 0;
}

static void print_commands(FILE *out) {
  fputs("\nCommands:\n"
        "  dump    write the profile as it stands now; prints the names of "
        "files\n"
        "  reset   set all counts and samples to zero\n"
        "  start   take samples again\n"
        "  stop    take no samples\n"
        "  status  print what the runtime is doing\n",
        out);
}

static int run(int argc, char **argv, struct err *err) {
  struct ctl_options options;
  int rc = parse(argc, argv, &options, err);

  if (rc)
    return rc;
  struct exchange *exchange = malloc(sizeof(*exchange));
  if (!exchange)
    return err_no_memory(err);
  exchange->lock = exchange->abstract = exchange->named = -1;
  rc = control(&options, exchange, err);
  close_sockets(exchange);
  free(exchange);
  return rc;
}

const struct command cmd_ctl = {
    .name = "ctl",
    .summary = "commands to a running program",
    .synopsis = "[OPTION]... PID COMMAND",
    .description = "Have a running program write its profile, or change what "
                   "it counts.\n",
    .options = option_specs,
    .operands = "PID dump|reset|start|stop|status",
    .print_details = print_commands,
    .run = run,
};

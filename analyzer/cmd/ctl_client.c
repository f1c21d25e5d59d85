/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "cmd/ctl_client.h"

#include "base/err.h"
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
  MAX_THREADS = 64, /* to send a command to */
  MAX_SENT = 4,     /* times that a command is sent */
  RESEND_MS = 100,  /* after that; each time four times as long */
  CHECK_MS = 50,    /* between checks that the process lives */
  TURN_NS = 100000, /* the least there is */
  RETRY_MS = 2,     /* between checks that a signal can be sent */
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
      return err_set(err, ERR_SYSTEM,
                     "%d: process is busy with other commands; try again",
                     (int)pid);
    sleep_ms(1);
  }
  return 0;
}

static int open_sockets(pid_t pid, struct exchange *exchange, struct err *err) {
  char name[64], root[64];

  if (getrandom(&exchange->number, sizeof(exchange->number), 0) < 0)
    return err_set(err, ERR_SYSTEM, "cannot get random numbers: %s",
                   strerror(errno));
  exchange->number &= ARCLINE_CTL_NUMBER_MASK;
  snprintf(name, sizeof(name), ARCLINE_CTL_SOCKET "%" PRIu64, exchange->number);
  exchange->abstract = open_socket(name, true);
  if (exchange->abstract < 0)
    return err_set(err, ERR_SYSTEM, "cannot open a socket: %s",
                   strerror(errno));
  if (!live_process_is_elsewhere(pid))
    return 0;
  live_process_path(pid, "root", root, sizeof(root));
  snprintf(exchange->path, sizeof(exchange->path),
           "%s" ARCLINE_CTL_PATH "%" PRIu64, root, exchange->number);
  exchange->named = open_socket(exchange->path, false);
  if (exchange->named < 0)
    return err_set(
        err, ERR_SYSTEM,
        "%s: cannot open a socket in the container of the process: %s",
        exchange->path, strerror(errno));
  chmod(exchange->path, 0777); // for any program; its id is checked
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
static int send_command(const struct ctl_request *request,
                        const struct exchange *exchange, struct err *err) {
  const uint64_t value =
      (uint64_t)ARCLINE_CTL_MAGIC << ARCLINE_CTL_MAGIC_SHIFT |
      (uint64_t)request->command << ARCLINE_CTL_COMMAND_SHIFT |
      exchange->number;
  siginfo_t info = {.si_signo = SIGPROF, .si_code = SI_QUEUE};
  pid_t threads[MAX_THREADS];
  int n;

  info.si_pid = getpid();
  info.si_uid = getuid();
  info.si_value.sival_ptr = (void *)(uintptr_t)value;
  while ((n = live_process_find_threads(request->pid, threads, MAX_THREADS)) <
         0) {
    if (live_process_has_ended(request->pid))
      return err_set(err, ERR_INPUT,
                     "%d: process has ended; its profile is where it wrote it",
                     (int)request->pid);
    if (now_ms() > exchange->deadline_ms)
      return err_set(err, ERR_INPUT, "%d: all threads block SIGPROF; try again",
                     (int)request->pid);
    sleep_ms(RETRY_MS);
  }
  if (live_process_check(request->pid, request->is_forced, err))
    return -1;
  // The first of them to get a processor will do it.
  bool is_sent = false;
  for (int i = 0; i < n; i++)
    is_sent |= syscall(SYS_rt_tgsigqueueinfo, request->pid, threads[i], SIGPROF,
                       &info) == 0;
  if (!is_sent && syscall(SYS_rt_sigqueueinfo, request->pid, SIGPROF, &info))
    return err_set(err, ERR_SYSTEM, "%d: cannot send a signal: %s",
                   (int)request->pid, strerror(errno));
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
    if (poll(sockets, 2, left > 0 && !is_ended ? CHECK_MS : 0) > 0) {
      for (size_t i = 0; i < 2; i++)
        if (sockets[i].revents && receive(sockets[i].fd, pid, exchange))
          return true;
    } else if (left <= 0 || is_ended) {
      return false;
    }
  }
}

static int exchange_command(const struct ctl_request *request,
                            struct exchange *exchange, struct err *err) {
  int64_t interval_ms = RESEND_MS;

  for (int n_sent = 1;; n_sent++) {
    if (send_command(request, exchange, err))
      return -1;
    int64_t until = now_ms() + interval_ms;
    if (n_sent == MAX_SENT || until > exchange->deadline_ms)
      until = exchange->deadline_ms;
    if (wait_answer(request->pid, exchange, until))
      return 0;
    if (live_process_has_ended(request->pid))
      return err_set(err, ERR_INPUT,
                     "%d: process ended before it answered; its profile is "
                     "where it wrote it",
                     (int)request->pid);
    if (now_ms() >= exchange->deadline_ms)
      return err_set(err, ERR_INPUT,
                     "%d: no answer within %ld s; the program may have "
                     "replaced the SIGPROF handler",
                     (int)request->pid, request->timeout_s);
    interval_ms *= 4;
  }
}

static int refuse(const struct ctl_request *request, const char *answer,
                  struct err *err) {
  char text[ERR_TEXT_BYTES];
  size_t n = 0;

  // The first newline is before the first line.
  for (const char *at = answer + 2; *at && n < sizeof(text) - 3; at++) {
    if (*at != '\n') {
      text[n++] = iscntrl((unsigned char)*at) ? '?' : *at;
    } else if (n) {
      text[n++] = ';';
      text[n++] = ' ';
    }
  }
  text[n] = '\0';
  return err_set(err, ERR_INPUT, "%d: %s", (int)request->pid, text);
}

/** Ask for short time slices, which start sooner if all processors are busy
 * (Linux 6.12; others ignore it): all work takes less than one.
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

static int exchange(const struct ctl_request *request,
                    struct exchange *exchange, struct err *err) {
  exchange->deadline_ms = now_ms() + 1000 * (int64_t)request->timeout_s;
  want_short_turns();
  if (live_process_check(request->pid, request->is_forced, err) ||
      lock(request->pid, exchange, err) ||
      open_sockets(request->pid, exchange, err) ||
      exchange_command(request, exchange, err))
    return -1;
  return strncmp(exchange->answer, "ok", 2) == 0
             ? 0
             : refuse(request, exchange->answer, err);
}

int ctl_ask(const struct ctl_request *request, char **answer, struct err *err) {
  struct exchange *way = malloc(sizeof(*way));

  *answer = NULL;
  if (!way)
    return err_no_memory(err);
  way->lock = way->abstract = way->named = -1;
  int rc = exchange(request, way, err);
  if (rc == 0) {
    // After "ok", a newline is before each line.
    *answer = strdup(way->answer[2] ? way->answer + 3 : "");
    rc = *answer ? 0 : err_no_memory(err);
  }
  close_sockets(way);
  free(way);
  return rc;
}

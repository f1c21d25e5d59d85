/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "report/dump_side.h"

#include "gmon/side_read.h"

#include <inttypes.h>

static void print_string(const char *key, const char *text, FILE *out) {
  fprintf(out, " %s=", key);
  for (; *text; text++) {
    const unsigned char byte = (unsigned char)*text;
    if (byte <= ' ' || byte == 0x7f || byte == '%')
      fprintf(out, "%%%02x", byte);
    else
      fputc(byte, out);
  }
}

static void print_object(const struct side_object *object, FILE *out) {
  fprintf(out, "object n=%" PRIu32 " build-id=", object->i_object);
  for (size_t i = 0; i < object->n_build_id; i++)
    fprintf(out, "%02x", object->build_id[i]);
  if (object->n_build_id == 0)
    fputc('-', out);
  fprintf(out, " bias=0x%" PRIx64, object->bias);
  print_string("file", object->file ? object->file : "-", out);
  print_string("path", object->path, out);
}

static void print_record(const struct side_record *record, FILE *out) {
  switch (record->kind) {
  case SIDE_PROCESS:
    fprintf(out, "process pid=%" PRIu64, record->process.pid);
    print_string("name", record->process.name, out);
    break;
  case SIDE_CLOCK:
    fputs("clock", out);
    print_string("dimension", record->clock.dimension, out);
    fprintf(out, " rate=%" PRIu64, record->clock.rate_hz);
    break;
  case SIDE_CPU:
    fprintf(out, "cpu user-us=%" PRIu64 " system-us=%" PRIu64,
            record->cpu.user_us, record->cpu.system_us);
    break;
  case SIDE_OBJECT:
    print_object(&record->object, out);
    break;
  case SIDE_TEXT:
    fprintf(out, "text object=%" PRIu32 " low=0x%" PRIx64 " high=0x%" PRIx64,
            record->text.i_object, record->text.low, record->text.high);
    break;
  case SIDE_TIME:
  case SIDE_KERNEL:
    fprintf(out, "%s object=%" PRIu32 " offset=0x%" PRIx64 " samples=%" PRIu64,
            record->kind == SIDE_TIME ? "time" : "kernel",
            record->time.i_object, record->time.offset, record->time.n_samples);
    break;
  case SIDE_ARC:
    fprintf(out,
            "arc caller=%" PRIu32 " from=0x%" PRIx64 " callee=%" PRIu32
            " self=0x%" PRIx64 " count=%" PRIu64,
            record->arc.i_caller, record->arc.from_vaddr, record->arc.i_callee,
            record->arc.self_vaddr, record->arc.count);
    break;
  case SIDE_CALL:
    fprintf(out, "call caller=%" PRIu32 " from=0x%" PRIx64 " count=%" PRIu64,
            record->call.i_caller, record->call.from_vaddr, record->call.count);
    print_string("name", record->call.name, out);
    break;
  case SIDE_TARGET:
    fprintf(out, "target caller=%" PRIu32, record->target.i_caller);
    print_string("name", record->target.name, out);
    fprintf(out, " object=%" PRIu32 " offset=0x%" PRIx64,
            record->target.i_object, record->target.offset);
    break;
  case SIDE_RESOLVED:
    fprintf(out,
            "resolved object=%" PRIu32 " resolver=0x%" PRIx64 " to=0x%" PRIx64,
            record->resolved.i_object, record->resolved.resolver_vaddr,
            record->resolved.to_vaddr);
    break;
  case SIDE_THREAD:
    fprintf(out, "thread tid=%" PRIu64 " samples=%" PRIu64, record->thread.tid,
            record->thread.n_samples);
    break;
  case SIDE_FRAME:
    fprintf(out,
            "frame n=%" PRIu32 " caller=%" PRIu32 " object=%" PRIu32
            " address=0x%" PRIx64,
            record->frame.i_frame, record->frame.i_caller,
            record->frame.i_object, record->frame.address);
    break;
  case SIDE_STACK:
    fprintf(out, "stack frame=%" PRIu32 " samples=%" PRIu64,
            record->stack.i_frame, record->stack.n_samples);
    break;
  case SIDE_LOOKS:
    fprintf(out, "looks count=%" PRIu64, record->n_looks);
    break;
  case SIDE_SAMPLED:
    fprintf(out, "sampled count=%" PRIu64, record->n_sampled);
    break;
  case SIDE_LOST:
    fputs("lost", out);
    print_string("what", record->lost.what, out);
    fprintf(out, " count=%" PRIu64, record->lost.count);
    break;
  case SIDE_MET:
    fprintf(out, "met threads=%" PRIu64, record->n_met);
    break;
  case SIDE_PROCESSES:
    fprintf(out, "processes count=%" PRIu64, record->n_processes);
    break;
  }
  fputc('\n', out);
}

int dump_side(const struct gmon_file *file, FILE *out, struct err *err) {
  struct side_reader reader;
  struct side_record record;
  int more = side_reader_init(&reader, file, err);
  if (more == 0) {
    fputs("side version=1\n", out);
    while ((more = side_reader_next(&reader, &record, err)) > 0)
      print_record(&record, out);
    if (more == 0)
      fputs("end\n", out);
  }
  side_reader_release(&reader);
  return more;
}

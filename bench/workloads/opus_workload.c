/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * A deterministic Opus workload: chords with noise are encoded as speech and as
 * music, and decoded again.
 *
 *   opus_workload [SCALE]    SCALE seconds in each of the two modes
 */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <opus.h>

#include "made_data.h"

enum { RATE = 48000, FRAME = RATE / 50, CHANNELS = 2, PACKET_BYTES = 1500 };

static void make_frame(opus_int16 *samples, int i_frame, uint32_t *random) {
  for (int i = 0; i < FRAME; i++) {
    const double time = (double)(i_frame * FRAME + i) / RATE;
    const double pitch = 110 * (1 + i_frame / 25 % 5);
    double level = 0;
    for (int j = 1; j < 5; j++)
      level += sin(6.283185307179586 * pitch * j * time) / j;
    for (int j = 0; j < CHANNELS; j++)
      samples[i * CHANNELS + j] =
          (opus_int16)(4000 * level + next_random(random, 800));
  }
}

/** Encodes and decodes that many frames. Returns false on an error. */
static int run(int application, int bit_rate, int n_frames, uint64_t *check) {
  int error_in, error_out;
  OpusEncoder *const encoder =
      opus_encoder_create(RATE, CHANNELS, application, &error_in);
  OpusDecoder *const decoder = opus_decoder_create(RATE, CHANNELS, &error_out);
  opus_int16 in[FRAME * CHANNELS], out[FRAME * CHANNELS];
  unsigned char packet[PACKET_BYTES];
  uint32_t random = 20261123;
  int ok = error_in == OPUS_OK && error_out == OPUS_OK &&
           opus_encoder_ctl(encoder, OPUS_SET_BITRATE(bit_rate)) == OPUS_OK;

  for (int i = 0; ok && i < n_frames; i++) {
    make_frame(in, i, &random);
    const int n = opus_encode(encoder, in, FRAME, packet, PACKET_BYTES);
    ok = n > 0 && opus_decode(decoder, packet, n, out, FRAME, 0) == FRAME;
    for (int j = 0; ok && j < n; j++)
      *check = *check * 31 + packet[j];
  }
  opus_encoder_destroy(encoder);
  opus_decoder_destroy(decoder);
  return ok;
}

int main(int argc, char **argv) {
  const int scale = argc > 1 ? atoi(argv[1]) : 1;
  uint64_t check = 0;

  if (!run(OPUS_APPLICATION_VOIP, 16000, scale * 50, &check) ||
      !run(OPUS_APPLICATION_AUDIO, 96000, scale * 50, &check)) {
    fprintf(stderr, "opus_workload: a frame was lost\n");
    return 1;
  }
  printf("checksum %016llx\n", (unsigned long long)check);
  return 0;
}

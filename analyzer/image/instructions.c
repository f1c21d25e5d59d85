/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "image/instructions.h"

#include "base/err.h"
#include "image/aarch64_code.h"
#include "image/image.h"

#include <Zydis/Zydis.h>
#include <elf.h>

enum { MAX_TEXT_BYTES = 256 };

int instructions_check(const struct image *image, struct err *err) {
  switch (image->machine) {
  case EM_X86_64:
  case EM_386:
    return 0;
  case EM_AARCH64:
    return aarch64_code_load(image->path, err);
  default:
    return err_set(err, ERR_INPUT,
                   "%s: machine code can be listed for x86 and AArch64 only",
                   image->path);
  }
}

static int list_x86(const struct image *image, const uint8_t *bytes,
                    size_t n_bytes, uint64_t vaddr, instruction_found *found,
                    void *context) {
  const bool is_long = image->machine == EM_X86_64;
  ZydisDecoder decoder;
  ZydisFormatter formatter;
  ZydisDecodedInstruction decoded;
  ZydisDecodedOperand operands[ZYDIS_MAX_OPERAND_COUNT];
  ZydisDecoderInit(&decoder,
                   is_long ? ZYDIS_MACHINE_MODE_LONG_64
                           : ZYDIS_MACHINE_MODE_LEGACY_32,
                   is_long ? ZYDIS_STACK_WIDTH_64 : ZYDIS_STACK_WIDTH_32);
  ZydisFormatterInit(&formatter, ZYDIS_FORMATTER_STYLE_ATT);
  ZydisFormatterSetProperty(&formatter, ZYDIS_FORMATTER_PROP_HEX_UPPERCASE,
                            ZYAN_FALSE);
  ZydisFormatterSetProperty(&formatter,
                            ZYDIS_FORMATTER_PROP_ADDR_PADDING_ABSOLUTE,
                            ZYDIS_PADDING_DISABLED);
  ZydisFormatterSetProperty(&formatter, ZYDIS_FORMATTER_PROP_DISP_PADDING,
                            ZYDIS_PADDING_DISABLED);
  ZydisFormatterSetProperty(&formatter, ZYDIS_FORMATTER_PROP_IMM_PADDING,
                            ZYDIS_PADDING_DISABLED);
  for (size_t at = 0; at < n_bytes;) {
    char text[MAX_TEXT_BYTES] = "(bad)";
    size_t n = 1;
    if (ZYAN_SUCCESS(ZydisDecoderDecodeFull(&decoder, bytes + at, n_bytes - at,
                                            &decoded, operands))) {
      n = decoded.length;
      ZydisFormatterFormatInstruction(&formatter, &decoded, operands,
                                      decoded.operand_count_visible, text,
                                      sizeof(text), vaddr + at, NULL);
    }
    const struct instruction instruction = {vaddr + at, n, text};
    const int rc = found(context, &instruction);
    if (rc)
      return rc;
    at += n;
  }
  return 0;
}

int instructions_list(const struct image *image, const uint8_t *bytes,
                      size_t n_bytes, uint64_t vaddr, instruction_found *found,
                      void *context) {
  return image->machine == EM_AARCH64
             ? aarch64_code_list(bytes, n_bytes, vaddr, found, context)
             : list_x86(image, bytes, n_bytes, vaddr, found, context);
}

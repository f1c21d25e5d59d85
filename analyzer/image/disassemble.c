/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "image/disassemble.h"

#include "image/image.h"

#include <Zydis/Zydis.h>
#include <elf.h>

bool disassemble_is_known(const struct image *image) {
  return image->machine == EM_X86_64 || image->machine == EM_386 ||
         image->machine == EM_AARCH64;
}

// --- x86 ---

/** Longest instruction of a stub, times the number that is examined. */
enum { STUB_BYTES = 32, X86_OPCODE_GROUP_5 = 0xff };

static void init_decoder(const struct image *image, ZydisDecoder *out) {
  const bool is_long = image->machine == EM_X86_64;

  ZydisDecoderInit(
      out, is_long ? ZYDIS_MACHINE_MODE_LONG_64 : ZYDIS_MACHINE_MODE_LEGACY_32,
      is_long ? ZYDIS_STACK_WIDTH_64 : ZYDIS_STACK_WIDTH_32);
  // Only lengths and raw fields are decoded, which is six times as fast.
  ZydisDecoderEnableMode(out, ZYDIS_DECODER_MODE_MINIMAL, ZYAN_TRUE);
}

/** Is it a branch whose target is known? `next` is the address after it.
 * Source: Intel SDM volume 2, CALL, JMP, Jcc. */
static bool read_x86(const ZydisDecoder *decoder,
                     const ZydisDecodedInstruction *instruction, uint64_t next,
                     struct branch *out) {
  const bool is_long = decoder->machine_mode == ZYDIS_MACHINE_MODE_LONG_64;
  const uint8_t opcode = instruction->opcode;
  const ZydisDecodedInstructionRaw *const raw = &instruction->raw;

  if (instruction->encoding != ZYDIS_INSTRUCTION_ENCODING_LEGACY)
    return false;
  if (instruction->opcode_map == ZYDIS_OPCODE_MAP_DEFAULT &&
      opcode == X86_OPCODE_GROUP_5) {
    // Through memory at a fixed address, near: /2 calls, /4 jumps.
    if (raw->modrm.mod != 0 || raw->modrm.rm != 5 ||
        (raw->modrm.reg != 2 && raw->modrm.reg != 4))
      return false;
    out->is_call = raw->modrm.reg == 2;
    out->is_slot = true;
    out->to_vaddr = (is_long ? next : 0) + (uint64_t)raw->disp.value;
  } else {
    const bool is_jump =
        opcode == 0xe9 || opcode == 0xeb || (opcode >= 0x70 && opcode <= 0x7f);
    if (instruction->opcode_map == ZYDIS_OPCODE_MAP_DEFAULT
            ? opcode != 0xe8 && !is_jump
            : instruction->opcode_map != ZYDIS_OPCODE_MAP_0F || opcode < 0x80 ||
                  opcode > 0x8f)
      return false;
    out->is_call = opcode == 0xe8;
    out->is_slot = false;
    out->to_vaddr = next + raw->imm[0].value.u;
  }
  if (!is_long)
    out->to_vaddr &= UINT32_MAX;
  return true;
}

static int find_x86(const struct image *image, const uint8_t *bytes,
                    size_t n_bytes, uint64_t vaddr, branch_found *found,
                    void *context) {
  ZydisDecoder decoder;
  ZydisDecodedInstruction instruction;

  init_decoder(image, &decoder);
  for (size_t at = 0; at < n_bytes;) {
    if (ZYAN_FAILED(ZydisDecoderDecodeInstruction(
            &decoder, NULL, bytes + at, n_bytes - at, &instruction))) {
      at++;
      continue;
    }
    struct branch branch = {.from_vaddr = vaddr + at};
    at += instruction.length;
    if (!read_x86(&decoder, &instruction, vaddr + at, &branch))
      continue;
    const int rc = found(context, &branch);
    if (rc)
      return rc;
  }
  return 0;
}

/** Is it `jmp *DISP(%ebx)`, of position-independent stubs on i386? */
static bool is_jump_by_base(const struct image *image,
                            const ZydisDecodedInstruction *instruction) {
  const ZydisDecodedInstructionRaw *const raw = &instruction->raw;

  return image->machine == EM_386 &&
         instruction->opcode_map == ZYDIS_OPCODE_MAP_DEFAULT &&
         instruction->opcode == X86_OPCODE_GROUP_5 && raw->modrm.reg == 4 &&
         (raw->modrm.mod == 1 || raw->modrm.mod == 2) && raw->modrm.rm == 3;
}

static bool read_x86_stub(const struct image *image, const uint8_t *bytes,
                          size_t n_bytes, uint64_t vaddr, uint64_t base_vaddr,
                          uint64_t *slot_vaddr) {
  ZydisDecoder decoder;
  ZydisDecodedInstruction instruction;
  struct branch branch;

  init_decoder(image, &decoder);
  // The jump may follow an ENDBR.
  for (size_t at = 0; at < n_bytes && at < STUB_BYTES;) {
    if (ZYAN_FAILED(ZydisDecoderDecodeInstruction(&decoder, NULL, bytes + at,
                                                  n_bytes - at, &instruction)))
      return false;
    at += instruction.length;
    if (is_jump_by_base(image, &instruction)) {
      *slot_vaddr =
          (base_vaddr + (uint64_t)instruction.raw.disp.value) & UINT32_MAX;
      return true;
    }
    if (read_x86(&decoder, &instruction, vaddr + at, &branch)) {
      *slot_vaddr = branch.to_vaddr;
      return branch.is_slot;
    }
  }
  return false;
}

// --- AArch64 ---

/** Instructions are little-endian words, even if data are not. */
static uint32_t a64_word(const uint8_t *bytes) {
  return bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 |
         (uint32_t)bytes[3] << 24;
}

/** Source: Arm Architecture Reference Manual, C6.2, B and BL. */
static int find_a64(const uint8_t *bytes, size_t n_bytes, uint64_t vaddr,
                    branch_found *found, void *context) {
  for (size_t at = 0; at + 4 <= n_bytes; at += 4) {
    const uint32_t word = a64_word(bytes + at);
    if ((word & 0x7c000000) != 0x14000000)
      continue;
    // 26 bits with a sign, in words.
    const int32_t distance = (int32_t)(word << 6) / 16;
    const struct branch branch = {
        .from_vaddr = vaddr + at,
        .to_vaddr = vaddr + at + (uint64_t)(int64_t)distance,
        .is_call = word >> 31,
    };
    const int rc = found(context, &branch);
    if (rc)
      return rc;
  }
  return 0;
}

/** ADRP and LDR of the same register. Source: as above. */
static bool read_a64_stub(const uint8_t *bytes, size_t n_bytes, uint64_t vaddr,
                          uint64_t *slot_vaddr) {
  uint64_t page = 0;
  uint32_t page_register = UINT32_MAX;

  for (size_t at = 0; at + 4 <= n_bytes && at < STUB_BYTES; at += 4) {
    const uint32_t word = a64_word(bytes + at);
    if ((word & 0x9f000000) == 0x90000000) {
      const uint32_t low = word >> 29 & 3;
      const uint32_t high = word >> 5 & 0x7ffff;
      const int32_t pages = (int32_t)((high << 2 | low) << 11) / (1 << 11);
      page =
          ((vaddr + at) & ~(uint64_t)0xfff) + ((uint64_t)(int64_t)pages << 12);
      page_register = word & 31;
    } else if ((word & 0xffc00000) == 0xf9400000 &&
               (word >> 5 & 31) == page_register) {
      *slot_vaddr = page + (uint64_t)(word >> 10 & 0xfff) * 8;
      return true;
    }
  }
  return false;
}

// --- All ---

int disassemble_branches(const struct image *image, const uint8_t *bytes,
                         size_t n_bytes, uint64_t vaddr, branch_found *found,
                         void *context) {
  return image->machine == EM_AARCH64
             ? find_a64(bytes, n_bytes, vaddr, found, context)
             : find_x86(image, bytes, n_bytes, vaddr, found, context);
}

static int keep_branch(void *context, const struct branch *branch) {
  *(struct branch *)context = *branch;
  return 1;
}

bool disassemble_call_before(const struct image *image, const uint8_t *bytes,
                             size_t n_bytes, uint64_t vaddr,
                             uint64_t *to_vaddr) {
  enum { X86_CALL_BYTES = 5, A64_CALL_BYTES = 4, X86_CALL = 0xe8 };
  const bool is_a64 = image->machine == EM_AARCH64;
  const size_t n = is_a64 ? A64_CALL_BYTES : X86_CALL_BYTES;
  struct branch branch;

  if (n_bytes < n)
    return false;
  bytes += n_bytes - n;
  vaddr += n_bytes - n;
  if ((!is_a64 && bytes[0] != X86_CALL) ||
      !disassemble_branches(image, bytes, n, vaddr, keep_branch, &branch) ||
      branch.from_vaddr != vaddr || !branch.is_call || branch.is_slot)
    return false;
  *to_vaddr = branch.to_vaddr;
  return true;
}

bool disassemble_stub(const struct image *image, const uint8_t *bytes,
                      size_t n_bytes, uint64_t vaddr, uint64_t base_vaddr,
                      uint64_t *slot_vaddr) {
  return image->machine == EM_AARCH64
             ? read_a64_stub(bytes, n_bytes, vaddr, slot_vaddr)
             : read_x86_stub(image, bytes, n_bytes, vaddr, base_vaddr,
                             slot_vaddr);
}

/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The memory is shared by all threads without a lock. An entry is three words
   of a rule and a checksum of these and of the key. An entry that two threads
   have written at the same time, or that is being written, matches no key. */
#include "unwind/rules.h"

enum {
  N_ENTRIES = 1 << 13,
  N_WORDS = sizeof(struct rt_rule) / 8,
  MAX_SLOT = 255
};

_Static_assert(sizeof(struct rt_rule) == 24, "without padding, of whole words");
_Static_assert(__builtin_popcount(RT_CPU_PRESERVED) <= RT_RULE_REGISTERS,
               "a slot for each");

struct entry {
  uint64_t mark;
  uint64_t words[N_WORDS];
};

static struct entry *entries;

/* --- Making and applying --- */

/* So many words below the CFA; 0: it is not below, or too far away. */
static int64_t slot_of(const struct rt_cfi_rule *rule, int64_t max) {
  if (rule->kind != RT_CFI_OFFSET || rule->value >= 0 ||
      rule->value < -max * RT_RULE_SLOT_BYTES ||
      rule->value % RT_RULE_SLOT_BYTES)
    return 0;
  return -rule->value / RT_RULE_SLOT_BYTES;
}

static bool set_link(const struct rt_cfi_rule *rule, struct rt_rule *out) {
  if (rule->kind == RT_CFI_UNDEFINED) {
    out->kind = RT_RULE_OUTERMOST;
    return true;
  }
  out->link_slot = (int16_t)slot_of(rule, INT16_MAX);
  return out->link_slot || (rule->kind == RT_CFI_SAME && RT_CPU_HAS_LINK);
}

bool rt_rule_make(const struct rt_cfi_row *row, uint64_t link,
                  struct rt_rule *out) {
  size_t i = 0;

  rt_zero(out, sizeof(*out));
  if (row->cfa.kind != RT_CFI_REGISTER ||
      row->cfa_offset != (int32_t)row->cfa_offset ||
      row->registers[RT_CPU_SP].kind != RT_CFI_SAME ||
      !set_link(&row->registers[link], out))
    return false;
  out->cfa_register = (uint8_t)row->cfa.value;
  out->cfa_offset = (int32_t)row->cfa_offset;
  for (unsigned number = 0; number < RT_CPU_N_REGISTERS; number++) {
    const struct rt_cfi_rule *rule = &row->registers[number];
    if (!((uint64_t)RT_CPU_PRESERVED >> number & 1))
      continue;
    out->slots[i] = (uint8_t)slot_of(rule, MAX_SLOT);
    if (!out->slots[i++] && rule->kind != RT_CFI_SAME)
      return false;
  }
  return true;
}

bool rt_rule_apply(const struct rt_rule *rule, struct rt_safe_reader *stack,
                   struct rt_registers *registers) {
  size_t i = 0;

  if (!rt_registers_has(registers, rule->cfa_register))
    return false;
  const uint64_t cfa = registers->values[rule->cfa_register] +
                       (uint64_t)(int64_t)rule->cfa_offset;
  const uint64_t link =
      cfa - (uint64_t)(int64_t)rule->link_slot * RT_RULE_SLOT_BYTES;
  // The register of the caller is unknown.
  if (rule->link_slot ? !rt_safe_read_word(stack, link, &registers->pc)
                      : !rt_registers_has(registers, RT_CPU_LINK))
    return false;
  if (!rule->link_slot)
    registers->pc = registers->values[RT_CPU_LINK];
  for (unsigned number = 0; number < RT_CPU_N_REGISTERS; number++) {
    if (!((uint64_t)RT_CPU_PRESERVED >> number & 1))
      continue;
    const uint64_t slot = rule->slots[i++];
    uint64_t value;
    if (!slot)
      continue;
    if (!rt_safe_read_word(stack, cfa - slot * RT_RULE_SLOT_BYTES, &value))
      return false;
    rt_registers_set(registers, number, value);
  }
  registers->known &= (uint64_t)RT_CPU_PRESERVED;
  rt_registers_set(registers, RT_CPU_SP, cfa);
  return true;
}

/* --- Memory --- */

size_t rt_rules_bytes(void) {
  return rt_whole_pages(N_ENTRIES * sizeof(*entries));
}

void rt_rules_init(void) { entries = rt_map(N_ENTRIES * sizeof(*entries)); }

void rt_rules_release(void) {
  rt_unmap(entries, N_ENTRIES * sizeof(*entries));
  entries = NULL;
}

static struct entry *entry_of(uint64_t pc) {
  return &entries[(pc * 0x9e3779b97f4a7c15) >> 32 & (N_ENTRIES - 1)];
}

/* No program counter has bits of the generation set. */
static uint64_t mark_of(uint64_t pc, uint32_t generation,
                        const uint64_t *words) {
  uint64_t mark = ~(pc ^ (uint64_t)generation << 57);

  for (int i = 0; i < N_WORDS; i++)
    mark ^= words[i];
  return mark;
}

bool rt_rules_find(uint64_t pc, uint32_t generation, struct rt_rule *out) {
  uint64_t words[N_WORDS];

  if (!entries)
    return false;
  const struct entry *entry = entry_of(pc);
  for (int i = 0; i < N_WORDS; i++)
    words[i] = __atomic_load_n(&entry->words[i], __ATOMIC_RELAXED);
  if (__atomic_load_n(&entry->mark, __ATOMIC_RELAXED) !=
      mark_of(pc, generation, words))
    return false;
  rt_copy(out, words, sizeof(*out));
  return true;
}

void rt_rules_keep(uint64_t pc, uint32_t generation,
                   const struct rt_rule *rule) {
  uint64_t words[N_WORDS];

  if (!entries)
    return;
  struct entry *entry = entry_of(pc);
  rt_copy(words, rule, sizeof(words));
  for (int i = 0; i < N_WORDS; i++)
    __atomic_store_n(&entry->words[i], words[i], __ATOMIC_RELAXED);
  __atomic_store_n(&entry->mark, mark_of(pc, generation, words),
                   __ATOMIC_RELAXED);
}

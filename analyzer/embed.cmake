# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Make C data of files: a table of base/asset.h.
#
#   cmake -DOUT=FILE.c -DTABLE=NAME -DFILES=PATH,PATH... -P embed.cmake
string(REPLACE "," ";" paths "${FILES}")
set(text "#include \"base/asset.h\"\n")
set(table "")
foreach(path ${paths})
  get_filename_component(name "${path}" NAME)
  string(MAKE_C_IDENTIFIER "bytes_of_${name}" id)
  file(READ "${path}" hex HEX)
  string(LENGTH "${hex}" n_bytes)
  math(EXPR n_bytes "${n_bytes} / 2")
  string(REGEX REPLACE "(................................)" "\\1\n" hex "${hex}")
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," hex "${hex}")
  string(APPEND text "static const unsigned char ${id}[] = {\n${hex}0};\n")
  string(APPEND table "{\"${name}\", (const char *)${id}, ${n_bytes}},\n")
endforeach()
file(WRITE "${OUT}" "${text}const struct asset ${TABLE}[] = {\n${table}{0}};\n")

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Make C data of the files that `arcline html` writes: assets.h.
#
#   cmake -DOUT=FILE.c -DFOLDER=DIR -DASSETS=NAME,NAME... -P embed.cmake
string(REPLACE "," ";" names "${ASSETS}")
set(text "#include \"html/assets.h\"\n")
set(table "")
foreach(name page.html ${names})
  string(MAKE_C_IDENTIFIER "bytes_of_${name}" id)
  file(READ "${FOLDER}/${name}" hex HEX)
  string(LENGTH "${hex}" n_bytes)
  math(EXPR n_bytes "${n_bytes} / 2")
  string(REGEX REPLACE "(................................)" "\\1\n" hex "${hex}")
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," hex "${hex}")
  string(APPEND text "static const unsigned char ${id}[] = {\n${hex}0};\n")
  set(entry "{\"${name}\", (const char *)${id}, ${n_bytes}}")
  if(name STREQUAL "page.html")
    set(page "const struct asset asset_page = ${entry};\n")
  else()
    string(APPEND table "${entry},\n")
  endif()
endforeach()
file(WRITE "${OUT}" "${text}${page}const struct asset assets[] = {\n${table}{0}};\n")

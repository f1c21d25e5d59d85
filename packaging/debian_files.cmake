# Makes files as Debian requires them: adds copyright and changelog to each package, compresses
# manual pages, removes sections that only name the compiler, and makes links relative. CPack runs
# it before it makes packages. Times are those of SOURCE_DATE_EPOCH if it is set, so that builds
# are reproducible.
find_program(GZIP gzip REQUIRED)
find_program(OBJCOPY objcopy REQUIRED)

string(TIMESTAMP date "%a, %d %b %Y %H:%M:%S +0000" UTC)
file(READ ${CPACK_RESOURCE_FILE_LICENSE} license)
string(REGEX REPLACE ".*---- LLVM Exceptions[^\n]*\n\n" "" exceptions "${license}")
string(REGEX REPLACE "\n+$" "" exceptions "${exceptions}")
string(REPLACE "\n\n" "\n.\n" exceptions "${exceptions}")
string(REPLACE "\n" "\n " exceptions "${exceptions}")
set(copyright "Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/
Upstream-Name: Arcline

Files: *
Copyright: 2026 The Arcline developers
License: Apache-2.0 with LLVM-exception

License: Apache-2.0 with LLVM-exception
 The text of the Apache License, Version 2.0, is in
 /usr/share/common-licenses/Apache-2.0. LLVM Exceptions to it:
 .
 ${exceptions}
")

function(compress file)
  execute_process(COMMAND ${GZIP} -9nf ${file} COMMAND_ERROR_IS_FATAL ANY)
endfunction()

function(remove_comments file)
  execute_process(COMMAND ${OBJCOPY} -D -R .comment ${file} COMMAND_ERROR_IS_FATAL ANY)
endfunction()

# Links to tools in the prefix of the package, such as those of LLVM.
function(make_relative link)
  file(READ_SYMLINK ${link} target)
  if(target MATCHES "^${CPACK_PACKAGING_INSTALL_PREFIX}/(.+)")
    file(CREATE_LINK ../${CMAKE_MATCH_1} ${link} SYMBOLIC)
  endif()
endfunction()

foreach(component IN LISTS CPACK_COMPONENTS_ALL)
  string(TOUPPER ${component} upper)
  set(package ${CPACK_DEBIAN_${upper}_PACKAGE_NAME})
  set(root ${CPACK_TEMPORARY_DIRECTORY}/${component}${CPACK_PACKAGING_INSTALL_PREFIX})
  if(NOT IS_DIRECTORY ${root})
    message(FATAL_ERROR "${root}: no such folder; it should contain the files of ${package}")
  endif()
  set(doc ${root}/share/doc/${package})
  file(WRITE ${doc}/copyright "${copyright}")
  file(WRITE ${doc}/changelog "${package} (${CPACK_PACKAGE_VERSION}) unstable; urgency=medium

  * See CHANGELOG.md in the package arcline-doc.

 -- ${CPACK_PACKAGE_CONTACT}  ${date}
")
  compress(${doc}/changelog)
  file(GLOB pages ${root}/share/man/man[15]/*.[15])
  foreach(page IN LISTS pages)
    compress(${page})
  endforeach()
  file(GLOB programs ${root}/bin/*)
  file(GLOB_RECURSE libraries ${root}/lib/*.a ${root}/lib/*.so)
  foreach(file IN LISTS programs libraries)
    if(IS_SYMLINK ${file})
      make_relative(${file})
    else()
      remove_comments(${file})
    endif()
  endforeach()
  file(REMOVE ${root}/share/doc/arcline/LICENSE) # it is in the copyright file
endforeach()

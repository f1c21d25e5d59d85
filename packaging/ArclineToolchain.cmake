# Instruments a whole CMake project, without changes to its CMakeLists.txt:
#
#   cmake -S . -B build --toolchain FOLDER/ArclineToolchain.cmake
#
# FOLDER is the output of `pkg-config --variable=cmakedir arcline`. The preset in
# ArclinePresets.json beside it does the same. For single targets of a project, use
# find_package(Arcline) and arcline_instrument().
get_filename_component(arcline_bin "${CMAKE_CURRENT_LIST_DIR}/@BIN_FROM_CMAKE@" ABSOLUTE)
set(CMAKE_C_COMPILER "${arcline_bin}/arcline-cc")
set(CMAKE_CXX_COMPILER "${arcline_bin}/arcline-c++")
unset(arcline_bin)

# Nix: nix-build packaging/nix; the source is the tree that this file is in.
{ pkgs ? import <nixpkgs> { }, llvmPackages ? pkgs.llvmPackages_19 }:

pkgs.stdenv.mkDerivation {
  pname = "arcline";
  version = "1.0.0-rc1";
  src = pkgs.lib.cleanSource ../..;

  nativeBuildInputs = [ pkgs.cmake pkgs.ninja pkgs.pkg-config ];
  buildInputs = [
    llvmPackages.llvm
    pkgs.capstone
    pkgs.elfutils
    pkgs.inih
    pkgs.libiberty
    pkgs.xz
    pkgs.zlib
    pkgs.zstd
    pkgs.zydis
  ];

  # LLVM and clang are two packages; this clang finds the C library.
  cmakeFlags = [
    "-DLLVM_DIR=${llvmPackages.llvm.dev}/lib/cmake/llvm"
    "-DARCLINE_CLANG=${llvmPackages.clang}/bin/clang"
    "-DARCLINE_BUILD_TESTS=OFF"
    "-DARCLINE_MPI=OFF"
  ];
  postPatch = "patchShebangs scripts";
  # objcopy has prepared the archives for the linker.
  dontStrip = true;

  meta = {
    description = "Profiler for C and C++: exact counts of calls and basic blocks";
    license = with pkgs.lib.licenses; [ asl20 llvm-exception ];
    platforms = [ "x86_64-linux" "aarch64-linux" "riscv64-linux" ];
    mainProgram = "arcline";
  };
}

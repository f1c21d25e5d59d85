# Homebrew on Linux: put arcline-VERSION.tar.gz of scripts/release and this file into
# a tap (brew tap-new NAME/TAP), then brew install --build-from-source NAME/TAP/arcline.
class Arcline < Formula
  desc "Profiler for C and C++: exact counts of calls and basic blocks"
  homepage "https://arcline.invalid"
  version "1.0.0-rc1"
  url "file://#{__dir__}/arcline-#{version}.tar.gz"
  license "Apache-2.0" => { with: "LLVM-exception" }

  depends_on "binutils" => :build # libiberty
  depends_on "cmake" => :build
  depends_on "ninja" => :build
  depends_on "pkgconf" => :build
  depends_on "elfutils"
  depends_on "inih"
  depends_on :linux
  depends_on "llvm@19"
  depends_on "xz"
  depends_on "zlib"
  depends_on "zstd"
  depends_on "zydis"

  def install
    system "cmake", "-S", ".", "-B", "build", "-G", "Ninja", *std_cmake_args,
           "-DCMAKE_PREFIX_PATH=#{Formula["binutils"].opt_prefix}",
           "-DLLVM_DIR=#{Formula["llvm@19"].opt_lib}/cmake/llvm",
           "-DARCLINE_BUILD_TESTS=OFF", "-DARCLINE_MPI=OFF"
    system "cmake", "--build", "build"
    system "cmake", "--install", "build"
  end

  test do
    (testpath/"main.c").write "int main(void) { return 0; }\n"
    system bin/"arcline-cc", "-g", "main.c", "-o", "main"
    system "./main"
    assert_match "main: called 1 time", shell_output("#{bin}/arcline annotate main")
  end
end

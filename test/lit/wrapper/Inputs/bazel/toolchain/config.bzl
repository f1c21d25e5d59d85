"""A toolchain of clang and the tools in /usr/bin. The test replaces CLANG and ARCLINE_CFG by paths."""

load("@bazel_tools//tools/cpp:cc_toolchain_config_lib.bzl", "tool_path")
load(":arcline.bzl", "arcline_feature")

def _config(ctx):
    return cc_common.create_cc_toolchain_config_info(
        ctx = ctx,
        toolchain_identifier = "clang",
        host_system_name = "local",
        target_system_name = "local",
        target_cpu = "k8",
        target_libc = "glibc",
        compiler = "clang",
        abi_version = "local",
        abi_libc_version = "local",
        cxx_builtin_include_directories = ["/"],
        features = [arcline_feature("ARCLINE_CFG")],
        tool_paths = [
            tool_path(name = name, path = "CLANG" if name == "gcc" else "/usr/bin/" + name)
            for name in ["ar", "cpp", "gcc", "gcov", "ld", "nm", "objcopy", "objdump", "strip"]
        ],
    )

clang_config = rule(implementation = _config, provides = [CcToolchainConfigInfo])

"""A feature for C++ toolchains of Bazel that use clang: arcline.

Copy this file to the package of the toolchain. In the rule that calls
cc_common.create_cc_toolchain_config_info():

    load(":arcline.bzl", "arcline_feature")
    features = [..., arcline_feature("/usr/lib/arcline/llvm-19/arcline.cfg")]

`bazel build --features=arcline` instruments the workspace; a library with
features = ["-arcline"] is excluded. Otherwise features = ["arcline"] instruments a single
target; programs that link an instrumented library need the feature, too.
"""

load(
    "@bazel_tools//tools/build_defs/cc:action_names.bzl",
    "CPP_COMPILE_ACTION_NAME",
    "CPP_LINK_DYNAMIC_LIBRARY_ACTION_NAME",
    "CPP_LINK_EXECUTABLE_ACTION_NAME",
    "CPP_LINK_NODEPS_DYNAMIC_LIBRARY_ACTION_NAME",
    "CPP_MODULE_CODEGEN_ACTION_NAME",
    "C_COMPILE_ACTION_NAME",
)
load("@bazel_tools//tools/cpp:cc_toolchain_config_lib.bzl", "feature", "flag_group", "flag_set")

_COMPILE = [C_COMPILE_ACTION_NAME, CPP_COMPILE_ACTION_NAME, CPP_MODULE_CODEGEN_ACTION_NAME]
_LINK = [
    CPP_LINK_EXECUTABLE_ACTION_NAME,
    CPP_LINK_DYNAMIC_LIBRARY_ACTION_NAME,
    CPP_LINK_NODEPS_DYNAMIC_LIBRARY_ACTION_NAME,
]

def arcline_feature(config):
    """Returns the feature.

    Args:
      config: path of arcline.cfg for the LLVM of the toolchain: the output of
        `pkg-config --variable=plugindir arcline`, and llvm-N/arcline.cfg.
    """
    use_config = flag_group(flags = ["--config=" + config])

    # Names of sources are relative to the workspace, not to a sandbox.
    names = flag_group(flags = ["-ffile-compilation-dir=."])
    return feature(
        name = "arcline",
        flag_sets = [
            flag_set(actions = _COMPILE, flag_groups = [use_config, names]),
            flag_set(actions = _LINK, flag_groups = [use_config]),
        ],
    )

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Finds the names of source files for reports, and the files themselves during
/// the compilation.
///
/// Names in debug information may differ from both. -ffile-prefix-map and
/// related options change names to those of files that do not exist here, and
/// make absolute names relative, but not to the folder of compilation. `#line`
/// may have a name that is relative to another folder: that of the file with
/// the directive, or the one in which the generator (bison, flex) was run.
#ifndef ARCLINE_SOURCEFILES_H
#define ARCLINE_SOURCEFILES_H

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

#include <optional>
#include <string>
#include <vector>

namespace llvm {
class DICompileUnit;
class DIFile;
class Module;
} // namespace llvm

namespace arcline {

class SourceFiles {
public:
  explicit SourceFiles(const llvm::Module &M) : M(M) {}

  /// The name for reports: absolute, unless debug information has only a
  /// relative name; never relative to a folder that is not part of it. Empty if
  /// there is no file.
  ///
  /// Unit  that names the file; may be null
  std::string name(const llvm::DIFile *File, const llvm::DICompileUnit *Unit);

  /// Paths at which the file may be now, the likeliest first.
  llvm::SmallVector<std::string, 2> paths(const llvm::DIFile &File);

private:
  /// A replaced beginning of names, as of -ffile-prefix-map.
  struct PrefixMap {
    std::string From, To;
  };

  llvm::ArrayRef<PrefixMap> maps();
  void addMap(llvm::StringRef Real, llvm::StringRef Mapped);
  std::string mapped(llvm::StringRef Path, llvm::StringRef CompDir);
  std::string find(llvm::StringRef Name, const llvm::DICompileUnit &Unit);
  llvm::ArrayRef<std::string> foldersOfUnit();
  std::string findNearHeaders(llvm::StringRef Name);
  std::string findAtGenerator(llvm::StringRef Name);

  const llvm::Module &M;
  std::optional<std::vector<PrefixMap>> Maps;
  std::optional<std::vector<std::string>> Folders;
  llvm::DenseMap<const llvm::DIFile *, std::string> Names;
};

} // namespace arcline

#endif

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "SourceFiles.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace arcline {

namespace path = sys::path;

static bool isFile(const Twine &Path) { return sys::fs::is_regular_file(Path); }

static std::string joined(StringRef Folder, StringRef Name) {
  SmallString<256> Path(Folder);
  path::append(Path, Name);
  return Path.str().str();
}

/// Without "." and "..", assuming that no folder is a symbolic link.
static std::string cleaned(StringRef Path) {
  SmallString<256> Result(Path);
  path::remove_dots(Result, /*remove_dot_dot=*/true);
  return Result.str().str();
}

/// The path of a file or folder, from the root.
static std::string absolute(StringRef Path) {
  SmallString<256> Result(Path);
  sys::fs::make_absolute(Result);
  path::remove_dots(Result, /*remove_dot_dot=*/true);
  return Result.str().str();
}

/// The rest of Path after Prefix and a slash; none if Path does not begin with
/// it.
static std::optional<StringRef> afterPrefix(StringRef Path, StringRef Prefix) {
  if (Prefix.empty() && path::is_absolute(Path))
    return std::nullopt;
  if (!Path.consume_front(Prefix))
    return std::nullopt;
  if (!Path.empty() && !Prefix.empty() && Prefix.back() != '/' &&
      Path.front() != '/')
    return std::nullopt;
  return Path.ltrim('/');
}

/// Was the name absolute before a map made it relative? clang records no folder
/// for it then. (Before LLVM 16 it records that of the compilation.)
static bool isWhole(const DIFile &File) {
  return File.getDirectory().empty() || path::is_absolute(File.getFilename());
}

// --- Maps ---

/// Find the map that changes one name to the other, if any does: their ends are
/// equal.
void SourceFiles::addMap(StringRef Real, StringRef Mapped) {
  if (cleaned(Real) == cleaned(Mapped))
    return;
  std::string From = Real.str(), To = Mapped.str();
  while (!To.empty() && path::has_relative_path(From) &&
         path::filename(From) == path::filename(To)) {
    From = path::parent_path(From).str();
    To = path::parent_path(To).str();
  }
  Maps->push_back({From, To});
}

/// The maps that have changed names. A plugin has no access to them, but two
/// names are known in their original form: that of the source, and that of the
/// folder.
ArrayRef<SourceFiles::PrefixMap> SourceFiles::maps() {
  if (Maps)
    return *Maps;
  Maps.emplace();
  SmallString<256> Folder;
  const bool HasFolder = !sys::fs::current_path(Folder);
  const StringRef Source = M.getSourceFileName();
  for (const DICompileUnit *Unit : M.debug_compile_units()) {
    if (HasFolder && !Unit->getDirectory().empty())
      addMap(Folder, Unit->getDirectory());
    // clang does not parse this name.
    if (path::is_absolute(Source) &&
        path::filename(Source) == path::filename(Unit->getFilename()))
      addMap(Source, Unit->getFilename());
  }
  return *Maps;
}

/// The name of a path as debug information has names.
std::string SourceFiles::mapped(StringRef Path, StringRef CompDir) {
  if (!path::is_absolute(Path))
    return joined(CompDir, Path);
  for (const PrefixMap &Map : maps())
    if (const auto Rest = afterPrefix(Path, Map.From))
      return joined(Map.To, *Rest);
  return Path.str();
}

SmallVector<std::string, 2> SourceFiles::paths(const DIFile &File) {
  const std::string Name =
      path::is_absolute(File.getFilename())
          ? File.getFilename().str()
          : joined(File.getDirectory(), File.getFilename());
  SmallVector<std::string, 2> Result = {Name};
  for (const PrefixMap &Map : maps())
    if (const auto Rest = afterPrefix(Name, Map.To))
      Result.push_back(joined(Map.From, *Rest));
  // Relative to the folder, which may have another name.
  if (!path::is_absolute(File.getFilename()))
    Result.push_back(File.getFilename().str());
  return Result;
}

// --- Names of #line ---

/// The folders of the unit's files that exist, absolute. They are found once:
/// a source that is many files in one has a name for each of them.
ArrayRef<std::string> SourceFiles::foldersOfUnit() {
  if (Folders)
    return *Folders;
  Folders.emplace();
  DebugInfoFinder Finder;
  Finder.processModule(M);
  SmallSetVector<const DIFile *, 16> Files;
  for (const DISubprogram *Program : Finder.subprograms())
    Files.insert(Program->getFile());
  for (const DIType *Type : Finder.types())
    Files.insert(Type->getFile());
  for (const DIGlobalVariableExpression *Global : Finder.global_variables())
    Files.insert(Global->getVariable()->getFile());
  Files.remove(nullptr);
  StringSet<> Seen;
  for (const DIFile *File : Files)
    for (const std::string &Path : paths(*File))
      if (const std::string Folder = absolute(path::parent_path(Path));
          isFile(Path) && Seen.insert(Folder).second)
        Folders->push_back(Folder);
  return *Folders;
}

/// Search for it beside other files of the unit: a grammar is in the folder of
/// its headers. Empty if it is in no folder or in two.
std::string SourceFiles::findNearHeaders(StringRef Name) {
  std::string Found;
  for (const std::string &Folder : foldersOfUnit()) {
    const std::string Beside = cleaned(joined(Folder, Name));
    if (Beside == Found || !isFile(Beside))
      continue;
    if (!Found.empty())
      return "";
    Found = Beside;
  }
  return Found;
}

/// The parent of the folder in which the generator was run. The name that it
/// gives its own output, `../build/parser.c`, shows it; otherwise it is the
/// parent of the folder of the source, if that is below the folder of the
/// compilation.
static std::string folderOfGenerators(const Module &M) {
  const std::string Source = absolute(M.getSourceFileName());
  for (const Function &F : M) {
    const DISubprogram *Program = F.getSubprogram();
    StringRef Rest = Program ? Program->getFilename() : "";
    if (Rest.consume_front("../") &&
        StringRef(Source).ends_with(("/" + Rest).str()))
      return Source.substr(0, Source.size() - Rest.size() - 1);
  }
  const StringRef Parent = path::parent_path(path::parent_path(Source));
  return afterPrefix(Parent, absolute(".")) ? Parent.str() : "";
}

/// Search the folders in which the generator may have been run. Empty if it is
/// in no folder or in two.
std::string SourceFiles::findAtGenerator(StringRef Name) {
  const std::string Folder = folderOfGenerators(M);
  std::string Found;
  std::error_code Error;
  if (Folder.empty())
    return Found;
  for (sys::fs::directory_iterator At(Folder, Error), End; At != End && !Error;
       At.increment(Error)) {
    const std::string Path = cleaned(joined(At->path(), Name));
    if (Path == Found || !isFile(Path))
      continue;
    if (!Found.empty())
      return "";
    Found = Path;
  }
  return Found;
}

/// Resolve a name that is not relative to the folder of compilation. Returns a
/// path, or "".
std::string SourceFiles::find(StringRef Name, const DICompileUnit &Unit) {
  for (const StringRef Source :
       {StringRef(M.getSourceFileName()), StringRef(Unit.getFilename())}) {
    const std::string Beside = joined(path::parent_path(Source), Name);
    if (isFile(Beside))
      return Beside;
  }
  const std::string Near = findNearHeaders(Name);
  return Near.empty() ? findAtGenerator(Name) : Near;
}

std::string SourceFiles::name(const DIFile *File, const DICompileUnit *Unit) {
  if (!File)
    return "";
  const auto [Known, IsNew] = Names.try_emplace(File);
  if (!IsNew)
    return Known->second;
  const StringRef Name = File->getFilename();
  const bool IsSource = Unit && Unit->getFilename() == Name &&
                        Unit->getDirectory() == File->getDirectory();
  // The source's own name is relative to the folder, even if that has been
  // changed.
  const StringRef Source = M.getSourceFileName();
  const bool IsAsItIs =
      isWhole(*File) || (IsSource && path::is_absolute(Source) &&
                         path::filename(Source) == path::filename(Name));
  std::string Result =
      IsAsItIs ? Name.str() : joined(File->getDirectory(), Name);
  if (!IsAsItIs && Unit && !IsSource &&
      Unit->getDirectory() == File->getDirectory() && !Name.starts_with("<") &&
      !isFile(Result) && !isFile(Name)) {
    const std::string Found = find(Name, *Unit);
    if (!Found.empty())
      Result = mapped(Found, Unit->getDirectory());
  }
  return Names[File] = Result;
}

} // namespace arcline

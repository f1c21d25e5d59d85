// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "SourceText.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/Support/MD5.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace arcline {

/// Is it the text that was compiled, as far as debug information says?
static bool isSame(const DIFile &File, StringRef Text) {
  const auto Checksum = File.getChecksum();
  if (!Checksum || Checksum->Kind != DIFile::CSK_MD5)
    return true;
  MD5 Hash;
  MD5::MD5Result Result;
  Hash.update(Text);
  Hash.final(Result);
  return Result.digest() == Checksum->Value;
}

SourceText::File SourceText::read(const DIFile &File) {
  SourceText::File Result;
  if (const auto Source = File.getSource()) {
    Result.Buffer = MemoryBuffer::getMemBuffer(*Source, "", false);
  } else {
    SmallString<256> Path(File.getFilename());
    if (!sys::path::is_absolute(Path)) {
      Path = File.getDirectory();
      sys::path::append(Path, File.getFilename());
    }
    auto Buffer = MemoryBuffer::getFile(Path);
    if (!Buffer || !isSame(File, (*Buffer)->getBuffer()))
      return Result;
    Result.Buffer = std::move(*Buffer);
  }
  const StringRef Text = Result.Buffer->getBuffer();
  for (size_t At = 0; At < Text.size();) {
    Result.Lines.push_back(Text.data() + At);
    const size_t End = Text.find('\n', At);
    At = End == StringRef::npos ? Text.size() : End + 1;
  }
  return Result;
}

StringRef SourceText::at(const DILocation &Location) {
  const DIFile *Name = Location.getFile();
  const unsigned Line = Location.getLine(), Column = Location.getColumn();
  if (!Name || Line == 0 || Column == 0)
    return "";
  auto Known = Files.find(Name);
  if (Known == Files.end())
    Known = Files.try_emplace(Name, read(*Name)).first;
  const File &Text = Known->second;
  if (Line > Text.Lines.size())
    return "";
  const char *End =
      Line < Text.Lines.size() ? Text.Lines[Line] : Text.Buffer->getBufferEnd();
  return StringRef(Text.Lines[Line - 1], size_t(End - Text.Lines[Line - 1]))
      .rtrim("\r\n")
      .substr(Column - 1);
}

} // namespace arcline

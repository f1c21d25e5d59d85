// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "SourceText.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/Support/MD5.h"

#include <algorithm>

using namespace llvm;

namespace arcline {

/// Is it the text that was compiled, according to the debug information?
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
    for (const std::string &Path : Sources.paths(File)) {
      auto Buffer = MemoryBuffer::getFile(Path);
      if (!Buffer || !isSame(File, (*Buffer)->getBuffer()))
        continue;
      Result.Buffer = std::move(*Buffer);
      break;
    }
    if (!Result.Buffer)
      return Result;
  }
  const StringRef Text = Result.Buffer->getBuffer();
  for (size_t At = 0; At < Text.size();) {
    Result.Lines.push_back(Text.data() + At);
    const size_t End = Text.find('\n', At);
    At = End == StringRef::npos ? Text.size() : End + 1;
  }
  return Result;
}

/// The file of a location, if there is text at its line.
const SourceText::File *SourceText::find(const DILocation &Location) {
  const DIFile *Name = Location.getFile();
  if (!Name || Location.getLine() == 0 || Location.getColumn() == 0)
    return nullptr;
  auto Known = Files.find(Name);
  if (Known == Files.end())
    Known = Files.try_emplace(Name, read(*Name)).first;
  const File &Text = Known->second;
  return Location.getLine() <= Text.Lines.size() ? &Text : nullptr;
}

/// A line, from 1, without its end.
StringRef SourceText::line(const File &Text, unsigned Number) {
  const char *Start = Text.Lines[Number - 1];
  const char *End = Number < Text.Lines.size() ? Text.Lines[Number]
                                               : Text.Buffer->getBufferEnd();
  return StringRef(Start, size_t(End - Start)).rtrim("\r\n");
}

StringRef SourceText::at(const DILocation &Location) {
  const File *Text = find(Location);
  return Text ? line(*Text, Location.getLine()).substr(Location.getColumn() - 1)
              : "";
}

/// The text from a location, through lines; empty if unknown.
StringRef SourceText::textFrom(const DILocation &Location, size_t MaxBytes) {
  const File *Text = find(Location);
  if (!Text)
    return "";
  const char *Start = Text->Lines[Location.getLine() - 1];
  return StringRef(Start, size_t(Text->Buffer->getBufferEnd() - Start))
      .substr(Location.getColumn() - 1)
      .take_front(MaxBytes);
}

bool SourceText::isDefaulted(const DILocation &Location) {
  // The location is in the declaration, or at the end of its last word.
  const StringRef Rest = textFrom(Location, 1024);
  if (Rest.empty())
    return false;
  const char *Start = find(Location)->Buffer->getBufferStart();
  const char *End =
      Rest.data() + std::min(Rest.find_first_of(";{}"), Rest.size());
  StringRef Head = StringRef(Start, size_t(End - Start)).rtrim();
  return Head.consume_back("default") && Head.rtrim().ends_with("=");
}

bool SourceText::isDirective(const DILocation &Location) {
  const File *Text = find(Location);
  return Text && line(*Text, Location.getLine()).ltrim().starts_with("#");
}

static StringRef wordAt(StringRef Text) {
  return Text.take_while([](char C) { return isAlnum(C) || C == '_'; });
}

bool beginsWithJump(StringRef Text) {
  const StringRef Name = wordAt(Text);
  return Name == "break" || Name == "continue" || Name == "goto" ||
         Name == "return" || Name == "co_return";
}

/// Does a line end with the head of a statement, of which the next line is the
/// body?
static bool endsWithHead(StringRef Line) {
  const StringRef Code = Line.split("//").first.rtrim();
  return Code.ends_with(")") || Code.ends_with("else");
}

std::pair<StringRef, unsigned> SourceText::jumpBefore(const DILocation &Brace) {
  const File *Text = find(Brace);
  if (!Text || !line(*Text, Brace.getLine())
                    .take_front(Brace.getColumn() - 1)
                    .trim()
                    .empty())
    return {"", 0};
  std::pair<StringRef, unsigned> Jump = {"", 0};
  for (unsigned Number = Brace.getLine() - 1; Number; --Number) {
    const StringRef Statement = line(*Text, Number).trim();
    if (Statement.empty() || Statement.starts_with("//"))
      continue;
    if (Jump.second)
      return beginsWithJump(Statement) || Statement.starts_with("throw") ||
                     endsWithHead(Statement)
                 ? std::pair<StringRef, unsigned>("", 0)
                 : Jump;
    const auto [Code, Rest] = Statement.split(';');
    if (!beginsWithJump(Code) || Code.size() == Statement.size() ||
        !(Rest.trim().empty() || Rest.trim().starts_with("/")))
      return {"", 0};
    Jump = {Code, Number};
  }
  return {"", 0};
}

/// The length of a token to skip at the start of Rest: a comment or a literal;
/// 0 if there is none.
static size_t lengthOfToken(StringRef Rest) {
  const auto Ending = [&](StringRef Mark, size_t From) {
    const size_t End = Rest.find(Mark, From);
    return End == StringRef::npos ? Rest.size() : End + Mark.size();
  };
  const StringRef Two = Rest.take_front(2);
  if (Two == "//")
    return Ending("\n", 2);
  if (Two == "/*")
    return Ending("*/", 2);
  if (Two == "::")
    return 2;
  const char Quote = Rest.front();
  if (Quote != '"' && Quote != '\'')
    return 0;
  for (size_t I = 1; I < Rest.size(); ++I) {
    if (Rest[I] == Quote || Rest[I] == '\n')
      return I + 1;
    I += Rest[I] == '\\';
  }
  return Rest.size();
}

std::pair<unsigned, unsigned>
SourceText::operandsAt(const DILocation &Location) {
  StringRef Rest = textFrom(Location, 4096);
  unsigned Line = Location.getLine(), Lines[2] = {0, 0};
  int Depth = 0, NumOpen = 0; // brackets; inner operators
  for (unsigned Operand = 0, IsDue = false; !Rest.empty();) {
    const char C = Rest.front();
    const size_t Length = lengthOfToken(Rest);
    const bool IsComment = Length && C == '/';
    if (IsDue && !isSpace(C) && !IsComment) {
      Lines[Operand++] = Line;
      IsDue = false;
      if (Operand == 2)
        return {Lines[0], Lines[1]};
    }
    if (!Length) {
      Depth += C == '(' || C == '[' || C == '{';
      Depth -= C == ')' || C == ']' || C == '}';
      // A bracket that was open before the location is part of it.
      Depth = std::max(Depth, 0);
      if (C == ';' && Depth == 0)
        break;
      if (C == '?' && Depth == 0) {
        IsDue = Operand == 0;
        NumOpen += Operand != 0;
      } else if (C == ':' && Depth == 0 && Operand == 1) {
        IsDue = NumOpen == 0;
        NumOpen -= NumOpen != 0;
      }
    }
    const size_t Passed = Length ? Length : 1;
    Line += unsigned(Rest.take_front(Passed).count('\n'));
    Rest = Rest.drop_front(Passed);
  }
  return {0, 0};
}

unsigned SourceText::catchAround(const DILocation &Inside) {
  // Of code in a macro, the text is the macro's name.
  const StringRef End = at(Inside);
  if (!End.starts_with("}") && !beginsWithJump(End))
    return 0;
  const DISubprogram *Program = Inside.getScope()->getSubprogram();
  unsigned Line = Program->getLine();
  if (Program->getFile() != Inside.getFile() || Line == 0 ||
      Line > Inside.getLine())
    return 0;
  const char *Start = find(Inside)->Lines[Line - 1];
  SmallVector<unsigned, 16> Open; // of open braces: lines of handlers, or 0
  unsigned Catch = 0;
  bool IsCatch = false; // after `catch`, before the brace
  for (StringRef Rest(Start, size_t(End.data() - Start)); !Rest.empty();) {
    const StringRef Word = wordAt(Rest);
    const size_t Length = Word.empty() ? lengthOfToken(Rest) : Word.size();
    if (Word == "catch") {
      IsCatch = true;
    } else if (IsCatch && !Word.empty()) {
      Catch = Line;
    } else if (Rest.front() == '{') {
      Open.push_back(IsCatch && !Catch ? Line : Catch);
      Catch = 0;
      IsCatch = false;
    } else if (Rest.front() == '}' && !Open.empty()) {
      Open.pop_back();
    }
    const size_t Passed = Length ? Length : 1;
    Line += unsigned(Rest.take_front(Passed).count('\n'));
    Rest = Rest.drop_front(Passed);
  }
  while (!Open.empty())
    if (const unsigned Found = Open.pop_back_val())
      return Found;
  return 0;
}

} // namespace arcline

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Reads the text of source files, where debug locations are ambiguous: the
/// branch at the end of a block in braces has the location of the closing
/// brace, and looks like the `break` or `goto` that may be there instead.
///
/// A file may be missing (compilers that run elsewhere on preprocessed text) or
/// have changed; then there is no text, and callers do without.
#ifndef ARCLINE_SOURCETEXT_H
#define ARCLINE_SOURCETEXT_H

#include "SourceFiles.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/MemoryBuffer.h"

#include <memory>
#include <utility>
#include <vector>

namespace llvm {
class DIFile;
class DILocation;
} // namespace llvm

namespace arcline {

/// Does a statement begin with a jump?
bool beginsWithJump(llvm::StringRef Text);

class SourceText {
public:
  explicit SourceText(SourceFiles &Sources) : Sources(Sources) {}

  /// The text from a location to the end of its line; empty if unknown.
  llvm::StringRef at(const llvm::DILocation &Location);

  /// Is a location on a line of the preprocessor, such as `#pragma`?
  bool isDirective(const llvm::DILocation &Location);

  /// Is a location in a declaration that ends in `= default;`?
  bool isDefaulted(const llvm::DILocation &Location);

  /// The jump (`break;`, `return false;`) that is the last statement before a
  /// closing brace at a location, and its line, if it begins there; line 0 if
  /// there is none, if another jump precedes it, or if it is the body of a
  /// statement without braces.
  std::pair<llvm::StringRef, unsigned>
  jumpBefore(const llvm::DILocation &Brace);

  /// The lines on which the second and the third operand of `?:` begin; the
  /// first one is at a location; 0 if unknown.
  std::pair<unsigned, unsigned> operandsAt(const llvm::DILocation &Location);

  /// The line of the variable of the handler (`catch`) that contains a location
  /// of a closing brace or a jump, or of the type, or for `...` of the brace
  /// after it; 0 if unknown. Needs no scopes.
  unsigned catchAround(const llvm::DILocation &Inside);

private:
  struct File {
    std::unique_ptr<llvm::MemoryBuffer> Buffer; // null if it is not available
    std::vector<const char *> Lines;            // the beginning of each
  };

  File read(const llvm::DIFile &File);
  static llvm::StringRef line(const File &Text, unsigned Number);
  const File *find(const llvm::DILocation &Location);
  llvm::StringRef textFrom(const llvm::DILocation &Location, size_t MaxBytes);

  SourceFiles &Sources;
  llvm::DenseMap<const llvm::DIFile *, File> Files;
};

} // namespace arcline

#endif

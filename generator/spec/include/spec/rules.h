#pragma once

#include "diagnostics/diagnostic.h"

namespace pallasgen {

// Rules of read_spec and read_project, besides those of expression/rules.h.
inline constexpr Rule kFileSize{"file-size", "a spec is larger than 16 MiB or has more than a million values"};
inline constexpr Rule kFileEncoding{"file-encoding", "a spec is not UTF-8"};
inline constexpr Rule kFileNul{"file-nul", "a spec holds a NUL byte"};
inline constexpr Rule kFileEmpty{"file-empty", "a spec holds nothing"};

inline constexpr Rule kYamlSyntax{"yaml-syntax", "a spec is neither YAML nor JSON"};
inline constexpr Rule kYamlDepth{"yaml-depth", "lists and mappings are nested too deeply"};
inline constexpr Rule kYamlDocuments{"yaml-documents", "a spec has a second document"};
inline constexpr Rule kYamlDirective{"yaml-directive", "a spec has a YAML directive"};
inline constexpr Rule kYamlAnchor{"yaml-anchor", "a YAML anchor, or an expression that begins with &"};
inline constexpr Rule kYamlAlias{"yaml-alias", "a YAML alias, or an expression that begins with *"};
inline constexpr Rule kYamlTag{"yaml-tag", "a YAML tag, or an expression that begins with !"};
inline constexpr Rule kYamlMerge{"yaml-merge", "a YAML merge key <<"};
inline constexpr Rule kYamlKey{"yaml-key", "a key that is no plain text"};
inline constexpr Rule kYamlSplit{"yaml-split", "YAML split an expression at a comma or took its brackets as a list"};
inline constexpr Rule kYamlColon{"yaml-colon", "YAML made a mapping of an expression at a colon"};
inline constexpr Rule kYamlComment{"yaml-comment", "YAML cut an expression at a # after a space"};
inline constexpr Rule kYamlLeading{"yaml-leading",
                                   "YAML gives the first character of an expression a meaning of its own"};

inline constexpr Rule kDuplicateKey{"duplicate-key", "a key stands twice in one mapping"};
inline constexpr Rule kUnknownKey{"unknown-key", "a mapping has a key that it does not know"};
inline constexpr Rule kMisplacedKey{"misplaced-key", "a key belongs to another kind of mapping"};
inline constexpr Rule kMissingKey{"missing-key", "a required key is absent"};
inline constexpr Rule kNullValue{"null-value", "a key has no value"};
inline constexpr Rule kWrongKind{"wrong-kind", "a list, a mapping or a text stands where another of them is wanted"};
inline constexpr Rule kUnknownChoice{"unknown-choice", "a value is none of the words that its key takes"};
inline constexpr Rule kFormatVersion{"format-version", "the format version is not 1"};
inline constexpr Rule kNameForm{"name-form", "a name does not match [A-Za-z][A-Za-z0-9_]*"};
inline constexpr Rule kTypeForm{"type-form", "a type is not dtype[dim, …]"};
inline constexpr Rule kSignatureForm{"signature-form", "a function's signature is not name(parameter, …)"};
inline constexpr Rule kRangeForm{"range-form", "a loop's range does not have one to three numbers"};
inline constexpr Rule kStatementForm{"statement-form", "a mapping is no statement"};
inline constexpr Rule kOpsTree{"ops-tree", "a JSON tree is no expression or statement"};
inline constexpr Rule kDefineUnknown{"define-unknown", "-D names no const and no setting"};

inline constexpr const Rule* kSpecRules[] = {
    &kFileSize,      &kFileEncoding,  &kFileNul,       &kFileEmpty,     &kYamlSyntax, &kYamlDepth,    &kYamlDocuments,
    &kYamlDirective, &kYamlAnchor,    &kYamlAlias,     &kYamlTag,       &kYamlMerge,  &kYamlKey,      &kYamlSplit,
    &kYamlColon,     &kYamlComment,   &kYamlLeading,   &kDuplicateKey,  &kUnknownKey, &kMisplacedKey, &kMissingKey,
    &kNullValue,     &kWrongKind,     &kUnknownChoice, &kFormatVersion, &kNameForm,   &kTypeForm,     &kSignatureForm,
    &kRangeForm,     &kStatementForm, &kOpsTree,       &kDefineUnknown};

}  // namespace pallasgen

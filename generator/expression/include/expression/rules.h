#pragma once

#include "diagnostics/diagnostic.h"

namespace pallasgen {

// Rules of parse_expression, parse_expression_list and parse_statement (docs/language.md sections 6 and 7).
inline constexpr Rule kSyntaxCharacter{"syntax-character", "a character that no expression holds"};
inline constexpr Rule kSyntaxNumber{"syntax-number", "a number is written in a form that the language does not have"};
inline constexpr Rule kSyntaxIntegerRange{"syntax-integer-range", "an integer literal is above 2^64 - 1"};
inline constexpr Rule kSyntaxString{"syntax-string", "a string is not closed or has an unknown escape"};
inline constexpr Rule kSyntaxName{"syntax-name", "a name does not match [A-Za-z][A-Za-z0-9_]*"};
inline constexpr Rule kSyntaxBrackets{"syntax-brackets",
                                      "a bracket is not closed, not opened, or closed by another kind"};
inline constexpr Rule kSyntaxOperator{"syntax-operator", "an operator of another language"};
inline constexpr Rule kSyntaxPrecedence{"syntax-precedence",
                                        "an operator of bits between comparisons, which it binds more than"};
inline constexpr Rule kSyntaxExpected{"syntax-expected", "an operand, operator or word is missing"};
inline constexpr Rule kSyntaxArguments{"syntax-arguments", "keyword arguments repeat or stand before positional ones"};
inline constexpr Rule kSyntaxDepth{"syntax-depth", "an expression is nested too deeply"};
inline constexpr Rule kSyntaxStatement{"syntax-statement", "a text is no statement"};

inline constexpr const Rule* kExpressionRules[] = {
    &kSyntaxCharacter, &kSyntaxNumber,     &kSyntaxIntegerRange, &kSyntaxString,    &kSyntaxName,  &kSyntaxBrackets,
    &kSyntaxOperator,  &kSyntaxPrecedence, &kSyntaxExpected,     &kSyntaxArguments, &kSyntaxDepth, &kSyntaxStatement};

}  // namespace pallasgen

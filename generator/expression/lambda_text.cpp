#include "lambda_text.h"

namespace pallasgen {

std::string value_of_lambda(const std::vector<Token>& tokens) {
  size_t first = 0;
  while (first < tokens.size() && !tokens[first].is(":")) ++first;
  size_t last = tokens.size() - 1;  // the end, one past the value
  if (first + 1 >= last) return "";
  ++first;
  if (tokens[first].is("(") && tokens[last - 1].is(")")) {
    int depth = 0;
    size_t close = first;
    for (; close < last; ++close) {
      depth += tokens[close].is("(") ? 1 : tokens[close].is(")") ? -1 : 0;
      if (depth == 0) break;
    }
    if (close == last - 1) ++first, --last;
    if (first < last && tokens[last - 1].is(",")) --last;
  }
  if (first >= last) return "";
  const char* begin = tokens[first].text.data();
  const std::string_view end = tokens[last - 1].text;
  return {begin, end.data() + end.size()};
}

}  // namespace pallasgen

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "expression/dtype.h"
#include "expression/typed.h"

// Mutations of text by words and lines, which keep mutated specs similar to specs: the vocabulary is the table of
// operations, the dtypes, and the words of other inputs of the corpus.

extern "C" size_t LLVMFuzzerMutate(uint8_t* data, size_t size, size_t max_size);

namespace {

using Random = std::minstd_rand;

size_t below(Random& random, size_t n) { return n == 0 ? 0 : random() % n; }

bool in_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '.'; }

// Splits text into words, numbers, blanks of one line and single characters, in order; joined they are the text again.
std::vector<std::string> words_of(std::string_view text) {
  std::vector<std::string> words;
  for (size_t i = 0; i < text.size();) {
    size_t end = i + 1;
    if (in_word(text[i]))
      while (end < text.size() && in_word(text[end])) ++end;
    else if (text[i] == ' ')
      while (end < text.size() && text[end] == ' ') ++end;
    words.emplace_back(text.substr(i, end - i));
    i = end;
  }
  return words;
}

std::vector<std::string> lines_of(std::string_view text) {
  std::vector<std::string> lines;
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size() - 1) + 1;
    lines.emplace_back(text.substr(0, end));
    text.remove_prefix(end);
  }
  return lines;
}

std::string joined(const std::vector<std::string>& parts) {
  std::string text;
  for (const std::string& part : parts) text += part;
  return text;
}

const std::vector<std::string>& vocabulary() {
  static const std::vector<std::string> words = [] {
    std::vector<std::string> made = {"0",
                                     "1",
                                     "-1",
                                     "2",
                                     "3",
                                     "7",
                                     "16",
                                     "64",
                                     "128",
                                     "256",
                                     "257",
                                     "1.5",
                                     "inf",
                                     "nan",
                                     "true",
                                     "false",
                                     "None",
                                     "...",
                                     "[...]",
                                     "[:, None]",
                                     "2147483648",
                                     "9223372036854775807",
                                     "18446744073709551615",
                                     "1e400",
                                     "squeezed",
                                     "element(4, 1, 2)",
                                     "bounded_slice(8)",
                                     "sequential",
                                     "smem",
                                     "gmem",
                                     "reg",
                                     "acc",
                                     "auto"};
    for (const pallasgen::Operation& operation : pallasgen::operations()) made.emplace_back(operation.name);
    for (int d = 0; d <= static_cast<int>(pallasgen::DType::f4e2m1); ++d)
      made.emplace_back(pallasgen::info(static_cast<pallasgen::DType>(d)).name);
    return made;
  }();
  return words;
}

std::string mutated(std::string text, Random& random) {
  const int rounds = 1 + static_cast<int>(below(random, 3));
  for (int round = 0; round < rounds; ++round) {
    if (below(random, 3) == 0) {
      std::vector<std::string> lines = lines_of(text);
      const size_t i = below(random, lines.size()), j = below(random, lines.size());
      if (lines.empty()) continue;
      switch (below(random, 4)) {
        case 0:
          lines.erase(lines.begin() + static_cast<std::ptrdiff_t>(i));
          break;
        case 1:
          lines.insert(lines.begin() + static_cast<std::ptrdiff_t>(i), lines[j]);
          break;
        case 2:
          std::swap(lines[i], lines[j]);
          break;
        default:
          lines[i] = std::string(2 * below(random, 4), ' ') +
                     lines[i].substr(std::min(lines[i].size(), lines[i].find_first_not_of(' ')));
      }
      text = joined(lines);
      continue;
    }
    std::vector<std::string> words = words_of(text);
    if (words.empty()) continue;
    const size_t i = below(random, words.size()), j = below(random, words.size());
    switch (below(random, 5)) {
      case 0:
      case 1:
        words[i] = vocabulary()[below(random, vocabulary().size())];
        break;
      case 2:
        words[i] = words[j];
        break;
      case 3:
        words.erase(words.begin() + static_cast<std::ptrdiff_t>(std::min(i, j)),
                    words.begin() + static_cast<std::ptrdiff_t>(std::min(std::max(i, j), std::min(i, j) + 8)));
        break;
      default:
        words[i] += "(" + words[j] + ")";
    }
    text = joined(words);
  }
  return text;
}

size_t give(const std::string& text, uint8_t* out, size_t max_size) {
  const size_t size = std::min(text.size(), max_size);
  std::copy_n(text.begin(), size, out);
  return size;
}

}  // namespace

extern "C" size_t LLVMFuzzerCustomMutator(uint8_t* data, size_t size, size_t max_size, unsigned int seed) {
  Random random(seed);
  if (below(random, 4) == 0) return LLVMFuzzerMutate(data, size, max_size);
  return give(mutated(std::string(reinterpret_cast<const char*>(data), size), random), data, max_size);
}

// Copies a few lines or one word of `b` into `a`.
extern "C" size_t LLVMFuzzerCustomCrossOver(const uint8_t* a, size_t a_size, const uint8_t* b, size_t b_size,
                                            uint8_t* out, size_t max_size, unsigned int seed) {
  Random random(seed);
  const std::string_view into(reinterpret_cast<const char*>(a), a_size), from(reinterpret_cast<const char*>(b), b_size);
  const bool by_line = below(random, 2) == 0;
  std::vector<std::string> parts = by_line ? lines_of(into) : words_of(into);
  const std::vector<std::string> others = by_line ? lines_of(from) : words_of(from);
  if (parts.empty() || others.empty()) return give(std::string(from), out, max_size);
  const size_t at = below(random, parts.size()), first = below(random, others.size());
  const size_t count = by_line ? std::min(others.size() - first, 1 + below(random, 4)) : 1;
  if (below(random, 2) == 0) parts.erase(parts.begin() + static_cast<std::ptrdiff_t>(at));
  parts.insert(parts.begin() + static_cast<std::ptrdiff_t>(at), others.begin() + static_cast<std::ptrdiff_t>(first),
               others.begin() + static_cast<std::ptrdiff_t>(first + count));
  return give(joined(parts), out, max_size);
}

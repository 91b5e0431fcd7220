#include "registers/fma_blocks.h"

#include <fmt/format.h>

#include <algorithm>

#include "infer/fma.h"
#include "proofs/element_site.h"
#include "tile/walk.h"

namespace pallasgen {

namespace {

constexpr int64_t kOtherWords = 40;  // registers of a thread for addresses and other values
constexpr int64_t kMostBeside = 8;

void for_each_product(const tile::Role& role, const std::function<void(const tile::Dot&)>& visit) {
  for_each_statement(role.body, [&](const tile::Statement& statement) {
    if (const auto* dot = dot_if(statement, &tile::Product::has_blocks)) visit(*dot);
  });
}

int64_t words_of(const tile::Dot& dot, int64_t elements) { return bytes_of(dot.product->dtype, elements) / 4; }

int64_t operand_words(const tile::Dot& dot, int64_t threads) {
  const FmaBlocks blocks = fma_blocks(dot, threads);
  const Apply& product = *dot.product->as<Apply>();
  return words_of(dot, blocks.thread_rows * fma_step(product, 0) + blocks.thread_columns * fma_step(product, 1));
}

}  // namespace

int64_t threads_for_products(const tile::Program& program, const tile::Role& role) {
  int64_t threads = 0;
  for_each_product(role, [&](const tile::Dot& dot) {
    const Shape& shape = program.value(dot.value).shape;
    threads = std::max(threads, fma_threads(shape[0], shape[1]));
  });
  return threads;
}

int64_t operand_words(const tile::Role& role) {
  int64_t most = 0;
  for_each_product(role, [&](const tile::Dot& dot) { most = std::max(most, operand_words(dot, role.threads())); });
  return most;
}

int64_t operand_words_ahead(const tile::Role& role) {
  std::vector<int64_t> words;
  for_each_product(role, [&](const tile::Dot& dot) { words.push_back(operand_words(dot, role.threads())); });
  std::sort(words.begin(), words.end(), std::greater<>());
  return words.size() > 1 ? words[1] : 0;
}

int64_t ctas_beside(const Target& target, const tile::Role& role) {
  int64_t words = 0;
  for_each_product(role, [&](const tile::Dot& dot) {
    const FmaBlocks blocks = fma_blocks(dot, role.threads());
    words =
        std::max(words, words_of(dot, blocks.thread_rows * blocks.thread_columns) + operand_words(dot, role.threads()));
  });
  return std::clamp<int64_t>(target.registers / (role.threads() * (words + kOtherWords)), 1, kMostBeside);
}

bool multiply_in_loops(tile::Program& program, const std::string& why) {
  const tile::Dot* largest = nullptr;
  int64_t most = 0;
  for (const tile::Role& role : program.roles) {
    for_each_product(role, [&](const tile::Dot& dot) {
      int64_t bytes = 0;
      for (const TypedPtr& operand : dot.product->as<Apply>()->args)
        bytes += bytes_of(operand->dtype, elements_of(operand->shape));
      if (bytes > most) largest = &dot, most = bytes;
    });
  }
  if (!largest) return false;
  return tile::retry_with(program, tile::choice_of(tile::ChoiceKind::blocks, *largest, why));
}

const tile::Dot* product_at(const tile::Program& program, Span span, int64_t& threads) {
  const tile::Dot* found = nullptr;
  for (const tile::Role& role : program.roles) {
    for_each_product(role, [&](const tile::Dot& dot) {
      if (found || dot.product->span.source != span.source || dot.product->span.begin != span.begin) return;
      found = &dot;
      threads = role.threads();
    });
  }
  return found;
}

std::string blocks_text(const tile::Dot& dot, int64_t threads) {
  const FmaBlocks blocks = fma_blocks(dot, threads);
  return fmt::format("by {} x {} elements of its result in the registers of each thread", blocks.thread_rows,
                     blocks.thread_columns);
}

double products_per_byte(const tile::Dot& dot, int64_t threads) {
  const FmaBlocks blocks = fma_blocks(dot, threads);
  const Apply& product = *dot.product->as<Apply>();
  const int64_t bytes =
      blocks.thread_rows * fma_operand(product, 0).bytes + blocks.thread_columns * fma_operand(product, 1).bytes;
  return static_cast<double>(blocks.thread_rows * blocks.thread_columns) / static_cast<double>(bytes);
}

}  // namespace pallasgen

#include "model/cta_counts.h"

#include "program/index_terms.h"

namespace pallasgen {

double Counts::wanted() const {
  double bytes = 0;
  for (const auto& [ref, each] : moved) bytes += each.wanted;
  return bytes;
}

double Counts::touched() const {
  double bytes = 0;
  for (const auto& [ref, each] : moved) bytes += each.touched;
  return bytes;
}

void Counts::add(const Counts& from, double times) {
  for (const auto& [ref, bytes] : from.moved) move(ref, {bytes.wanted * times, bytes.touched * times});
  read += from.read * times;
  operations += from.operations * times;
  matrix += from.matrix * times;
  slots += from.slots * times;
  for (const auto& [field, of_field] : from.of_fields) of_fields[field] += of_field * times;
}

void Counts::move(int ref, const Moved& bytes) {
  moved[ref].wanted += bytes.wanted;
  moved[ref].touched += bytes.touched;
}

void Counts::move_shared(int field, double slots_of_it) {
  slots += slots_of_it;
  of_fields[field] += slots_of_it;
}

}  // namespace pallasgen

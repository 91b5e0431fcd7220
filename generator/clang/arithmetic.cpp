#include "thread.h"

// Evaluates operators as far as their operands are known.
namespace pallasgen::vet {

using namespace clang;

Value arithmetic(Thread& thread, BinaryOperatorKind code, const Value& left, const Value& right, QualType operands,
                 QualType result) {
  if (operands->isAnyPointerType() || result->isAnyPointerType() || left.is_pointer() || right.is_pointer()) {
    const Value& base = left.is_pointer() ? left : right;
    const Value& other = left.is_pointer() ? right : left;
    if (!base.is_pointer()) return unknown();
    if (BinaryOperator::isComparisonOp(code)) {
      if (other.is_pointer() && other.pointer.object == base.pointer.object && other.pointer.is_exact &&
          base.pointer.is_exact)
        return arithmetic(thread, code, integer(left.pointer.offset), integer(right.pointer.offset),
                          thread.context.LongTy, result);
      if (code == BO_EQ || code == BO_NE) return integer(code == BO_NE);
      return unknown();
    }
    if (other.is_pointer()) return unknown();
    if (code == BO_Rem) return integer(0);  // the caller's arrays and tiles are aligned
    if (code != BO_Add && code != BO_Sub) return base.pointer.object ? base : unknown();
    const QualType type = result->isAnyPointerType() ? result->getPointeeType() : thread.context.CharTy;
    Value by = other;
    if (by.is_integer() && code == BO_Sub) by.integer = -by.integer;
    Pointer moved = thread.element(base.pointer, by, type);
    moved.low = base.pointer.low;
    moved.high = base.pointer.high;
    return address(moved);
  }
  if (!left.is_integer() || !right.is_integer() || !operands->isIntegralOrEnumerationType()) return unknown();
  const int64_t a = left.integer, b = right.integer;
  const uint64_t ua = static_cast<uint64_t>(a), ub = static_cast<uint64_t>(b);
  const bool is_unsigned = operands->isUnsignedIntegerOrEnumerationType();
  switch (code) {
    case BO_Add:
      return thread.fit(static_cast<int64_t>(ua + ub), result);
    case BO_Sub:
      return thread.fit(static_cast<int64_t>(ua - ub), result);
    case BO_Mul:
      return thread.fit(static_cast<int64_t>(ua * ub), result);
    case BO_Div:
      if (b == 0 || (a == INT64_MIN && b == -1)) return unknown();
      return thread.fit(is_unsigned ? static_cast<int64_t>(ua / ub) : a / b, result);
    case BO_Rem:
      if (b == 0 || (a == INT64_MIN && b == -1)) return unknown();
      return thread.fit(is_unsigned ? static_cast<int64_t>(ua % ub) : a % b, result);
    case BO_Shl:
      return b < 0 || b > 63 ? unknown() : thread.fit(static_cast<int64_t>(ua << b), result);
    case BO_Shr:
      return b < 0 || b > 63 ? unknown() : thread.fit(is_unsigned ? static_cast<int64_t>(ua >> b) : a >> b, result);
    case BO_And:
      return thread.fit(a & b, result);
    case BO_Or:
      return thread.fit(a | b, result);
    case BO_Xor:
      return thread.fit(a ^ b, result);
    case BO_EQ:
      return integer(a == b);
    case BO_NE:
      return integer(a != b);
    case BO_LT:
      return integer(is_unsigned ? ua < ub : a < b);
    case BO_LE:
      return integer(is_unsigned ? ua <= ub : a <= b);
    case BO_GT:
      return integer(is_unsigned ? ua > ub : a > b);
    case BO_GE:
      return integer(is_unsigned ? ua >= ub : a >= b);
    default:
      return unknown();
  }
}

}  // namespace pallasgen::vet

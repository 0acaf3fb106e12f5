"""Finite rings: for each size the numbers 0 to n - 1 with an addition and a multiplication.

A ring is the product of a finite field for each prime power that divides n. So the differences of as many
elements as the smallest of these fields has can all be divided by. Tables are rotated with these.
A number is written in mixed base: the part of the first field, then that of the second, and so on. In a field
of p^e elements a number stands for a polynomial with its digits in base p, the lowest first. It is
multiplied modulo the first irreducible polynomial in the order of such numbers.
"""

from functools import lru_cache
from itertools import product

Polynomial = tuple[int, ...]


def prime_powers(number: int) -> list[tuple[int, int]]:
    """The primes that divide a number, each with its exponent."""
    found = []
    prime = 2
    while number > 1:
        exponent = 0
        while number % prime == 0:
            number //= prime
            exponent += 1
        if exponent:
            found.append((prime, exponent))
        prime += 1
    return found


def _remainder(dividend: Polynomial, divisor: Polynomial, prime: int) -> Polynomial:
    """The remainder of polynomials, the lowest coefficient first; the divisor's highest one is 1."""
    rest = list(dividend)
    degree = len(divisor) - 1
    for at in range(len(rest) - 1, degree - 1, -1):
        times = rest[at]
        for step in range(degree + 1):
            rest[at - degree + step] = (rest[at - degree + step] - times * divisor[step]) % prime
    return tuple(rest[:degree])


@lru_cache(maxsize=64)
def irreducible(prime: int, degree: int) -> Polynomial:
    """The first irreducible polynomial of this degree over the numbers modulo a prime."""
    for high in product(range(prime), repeat=degree):
        candidate = (*reversed(high), 1)
        divisors = (
            (*low, 1) for size in range(1, degree // 2 + 1) for low in product(range(prime), repeat=size)
        )
        if all(any(_remainder(candidate, divisor, prime)) for divisor in divisors):
            return candidate
    raise AssertionError("There is an irreducible polynomial of every degree.")


class FiniteRing:
    """The ring of so many elements; `units` of them, from 0 on, have differences that can be divided by."""

    def __init__(self, size: int) -> None:
        self.size = size
        self._fields = prime_powers(size)
        self.units = min((prime**exponent for prime, exponent in self._fields), default=1)

    def _parts(self, element: int) -> list[Polynomial]:
        parts = []
        for prime, exponent in self._fields:
            digits = []
            for _ in range(exponent):
                element, digit = divmod(element, prime)
                digits.append(digit)
            parts.append(tuple(digits))
        return parts

    def _number(self, parts: list[Polynomial]) -> int:
        number, base = 0, 1
        for (prime, _), digits in zip(self._fields, parts, strict=True):
            for digit in digits:
                number += base * digit
                base *= prime
        return number

    def _combined(self, one: int, other: int, sign: int) -> int:
        return self._number(
            [
                tuple((left + sign * right) % prime for left, right in zip(first, second, strict=True))
                for (prime, _), first, second in zip(
                    self._fields, self._parts(one), self._parts(other), strict=True
                )
            ]
        )

    def add(self, one: int, other: int) -> int:
        """one + other."""
        return self._combined(one, other, 1)

    def minus(self, one: int, other: int) -> int:
        """one - other."""
        return self._combined(one, other, -1)

    def times(self, one: int, other: int) -> int:
        """one * other."""
        parts = []
        for (prime, exponent), first, second in zip(
            self._fields, self._parts(one), self._parts(other), strict=True
        ):
            whole = [0] * (2 * exponent - 1)
            for (at, left), (step, right) in product(enumerate(first), enumerate(second)):
                whole[at + step] += left * right
            parts.append(
                _remainder(tuple(each % prime for each in whole), irreducible(prime, exponent), prime)
            )
        return self._number(parts)

    def unit(self, number: int) -> int:
        """The element of this number, from 0, of `units` whose differences can all be divided by."""
        parts = []
        for prime, exponent in self._fields:
            rest, digits = number, []
            for _ in range(exponent):
                rest, digit = divmod(rest, prime)
                digits.append(digit)
            parts.append(tuple(digits))
        return self._number(parts)

"""The planted material: random secrets, each in the words that usually surround such a secret.

No secret here belongs to anybody: every name, key and number comes from the generator's seed.
"""

import random
import string
import typing

ALNUM = string.ascii_letters + string.digits
LOWER = string.ascii_lowercase + string.digits
HEX = "0123456789abcdef"
BASE64 = ALNUM + "+/"
URL64 = ALNUM + "-_"


class Plant(typing.NamedTuple):
    """A text that contains secrets.

    Attributes:
        kind: what sort of secret it is.
        text: one line or several.
        secrets: strings that must not be in the redacted text.
    """

    kind: str
    text: str
    secrets: tuple[str, ...]


class Draw:
    """Random material."""

    def __init__(self, seed: str) -> None:
        self.lot = random.Random(seed)

    def run(self, alphabet: str, length: int, longest: int | None = None) -> str:
        """Random characters, with a digit among them."""
        size = self.lot.randint(length, longest or length)
        characters = [self.lot.choice(alphabet) for _ in range(size)]
        digits = [character for character in alphabet if character.isdigit()]
        if digits and not any(character.isdigit() for character in characters):
            characters[self.lot.randrange(1, size)] = self.lot.choice(digits)
        return "".join(characters)

    def word(self, shortest: int = 4, longest: int = 8) -> str:
        """A name that is in no list and in no frame below."""
        vowels, others = "aeiou", "bdfgklmprstvz"
        size = self.lot.randint(shortest, longest)
        return "q" + "".join(self.lot.choice(vowels if place % 2 else others) for place in range(size)) + self.lot.choice("jwxy")

    def user(self) -> str:
        """A user's name, in one of the forms that organisations use."""
        form = self.lot.choice(["{a}", "{a}", "{a}.{b}", "{a}-{b}", "{a}_{b}", "{a}{n}"])
        return form.format(a=self.word(), b=self.word(), n=self.lot.randint(1, 99))

    def host(self) -> str:
        """A machine's name."""
        form = self.lot.choice(["{w}{n}", "{w}-{n:02d}", "{w}-gpu{n}", "{w}{n}.{v}.{t}"])
        return form.format(
            w=self.word(3, 5),
            v=self.word(),
            n=self.lot.randint(1, 999),
            t=self.lot.choice(["edu", "net", "internal", "local", "de", "io"]),
        )

    def password(self) -> str:
        """A password as people choose them: letters, digits, symbols that need no quoting."""
        start = self.lot.choice(string.ascii_letters)
        return start + self.run(ALNUM + "!^*+-_.~#%", 8, 24)

    def weak(self) -> str:
        """A password without a digit."""
        return self.word(6, 12)

    def ip(self) -> str:
        """An address in a private or public network."""
        first = self.lot.choice([10, 10, 172, 192, 34, 52, 100])
        return ".".join(
            str(part) for part in (first, self.lot.randint(1, 254), self.lot.randint(1, 254), self.lot.randint(1, 254))
        )

    def ipv6(self) -> str:
        """All eight groups, or a local address with a gap."""
        if self.lot.random() < 0.4:
            return "fe80::" + ":".join(f"{self.lot.randint(4096, 65535):x}" for _ in range(4))
        return "2001:" + ":".join(f"{self.lot.randint(4096, 65535):x}" for _ in range(7))

    def mac(self) -> str:
        """An address of a network card."""
        return ":".join(f"{self.lot.randint(0, 255):02x}" for _ in range(6))

    def uuid(self) -> str:
        """Thirty-two digits in five groups."""
        return "-".join(self.run(HEX, size) for size in (8, 4, 4, 4, 12))

    def card(self) -> str:
        """A payment card number with its check digit."""
        digits = [4] + [self.lot.randint(0, 9) for _ in range(14)]
        doubled = [2 * digit - 9 * (digit > 4) if place % 2 == 0 else digit for place, digit in enumerate(reversed(digits))]
        number = "".join(map(str, [*digits, -sum(doubled) % 10]))
        mark = self.lot.choice(["", " ", "-"])
        return mark.join(number[start : start + 4] for start in range(0, 16, 4))

    def iban(self) -> str:
        """An account number with its check digits."""
        body = "".join(str(self.lot.randint(0, 9)) for _ in range(18))
        check = 98 - int(body + "131400") % 97
        number = f"DE{check:02d}{body}"
        return number if self.lot.random() < 0.5 else " ".join(number[start : start + 4] for start in range(0, 22, 4))

    def of(self, *choices: str) -> str:
        """One of these options."""
        return self.lot.choice(choices)

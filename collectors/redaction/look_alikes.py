"""Letters that look like ASCII letters: full-width, mathematical and circled ones, small capitals, Cyrillic and Greek ones.

Somebody who writes Chinese or Japanese may leave the keyboard in full-width mode, and a text that was copied from a picture or a
chat may mix alphabets. Such a name still announces a secret to whoever reads it.
"""

import functools
import re
import unicodedata

# Letters of other alphabets, and the ASCII letters that a reader takes them for.
_TWINS = (
    ("АВЕКМНОРСТУХЅІЈԌԚԜаекморстухѕіјһԁԛԝӏвнгпүԍ", "ABEKMHOPCTYXSIJGQWaekmopctyxsijhdqwlbhrnyg"),
    ("ΑΒΕΖΗΙΚΜΝΟΡΤΥΧαεηικνορτυχωγϲϳ", "ABEZHIKMNOPTYXaenikvoptuxwycj"),
    ("ᴀʙᴄᴅᴇꜰɢʜɪᴊᴋʟᴍɴᴏᴘʀꜱᴛᴜᴠᴡʏᴢɑɡıɩοօսհոց", "abcdefghijklmnoprstuvwyzagiioouhng"),
)
# Blocks whose characters Unicode itself calls another form of one ASCII character.
_FORMS = (
    (0x00AA, 0x00BB), (0x02B0, 0x02E5), (0x017F, 0x0180), (0x1D2C, 0x1D6B), (0x2070, 0x209D), (0x2100, 0x2150),
    (0x2460, 0x2500), (0x3000, 0x3001), (0xFE50, 0xFE70), (0xFF01, 0xFF5F), (0x1D400, 0x1D800), (0x1F130, 0x1F14A),
)  # fmt: skip
_FORM = re.compile(f"[{''.join(f'{chr(first)}-{chr(end - 1)}' for first, end in _FORMS)}]")
_LETTER = "A-Za-z\u00aa-\u02af\u0370-\u0587\u1d00-\u1d2b\ua730\ua731"
_TWIN = "".join(ones for ones, _ in _TWINS)
_TWIN_OF = {ord(one): plain for ones, plains in _TWINS for one, plain in zip(ones, plains, strict=True)}
# A word of three letters or more that all look like ASCII letters. Words of other languages nearly always have one that does not.
_WORD = re.compile(f"(?<![{_LETTER}])(?=[{_LETTER}]{{3}})[A-Za-z]*[{_TWIN}][A-Za-z{_TWIN}]*+(?![{_LETTER}])")


@functools.cache
def _forms() -> dict[int, str]:
    found = {}
    for first, end in _FORMS:
        for code in range(first, end):
            plain = unicodedata.normalize("NFKC", chr(code))
            if len(plain) == 1 and plain.isascii():
                found[code] = plain
    return found


def read_as_ascii(text: str) -> str:
    """The text with the ASCII letters that a reader sees in it; it keeps its length, so that positions stay valid.

    Full-width letters, digits and signs always change. A word with letters of another alphabet changes only if
    it has at least three letters, and each of them looks like an ASCII letter.

    >>> read_as_ascii("ｐａｓｓｗｏｒｄ：１, pаsswоrd=2, пароль")
    'password:1, password=2, пароль'
    """
    if text.isascii():
        return text
    if _FORM.search(text):
        text = text.translate(_forms())
    return _WORD.sub(lambda found: found[0].translate(_TWIN_OF), text)

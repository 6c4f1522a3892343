"""The bytes of a source file give the same text on both sides, or offsets in it would not agree."""

from __future__ import annotations

import random
import subprocess
from pathlib import Path

from oblist.indexer.source_text import decoded
from oblist.lisp.sbcl import DUMPER, PREPARE, Sbcl, compiled_code, load_form, sbcl_arguments

# Beginnings of long encodings, continuations, a replacement character, surrogates, Latin-1, line ends.
PIECES = (
    *(bytes([octet]) for octet in (0x28, 0x41, 0x80, 0xBF, 0xC0, 0xC3, 0xE2, 0xED, 0xF0, 0xF4, 0xFE, 0xFF)),
    *(text.encode() for text in ("\ufffd", "\ufeff", "\uffff", "é", "→", "😀", "\r\n", "\x7f")),
    b"\xed\xa0\x80",
)
SAMPLES = 400
SHOW = """
(with-open-file (in "{path}" :element-type '(unsigned-byte 8))
  (loop repeat {samples}
        do (let ((octets (make-array (read-byte in) :element-type '(unsigned-byte 8))))
             (read-sequence octets in)
             (format t "~&text~{{ ~D~}}~%" (map 'list 'char-code (oblist::decode octets))))))
"""


def test_both_sides_decode_any_bytes_alike(sbcl: Sbcl, tmp_path: Path) -> None:
    drawn = random.Random(5)
    files = [b"".join(drawn.choices(PIECES, k=drawn.randint(1, 5))) for _ in range(SAMPLES)]
    (tmp_path / "files").write_bytes(b"".join(bytes([len(octets)]) + octets for octets in files))
    code = compiled_code(sbcl, tmp_path)
    forms = [load_form(code / PREPARE), '(require "SB-INTROSPECT")', load_form(code / DUMPER)]
    forms += [SHOW.format(path=tmp_path / "files", samples=SAMPLES), "(sb-ext:exit)"]
    output = subprocess.run(
        sbcl_arguments(sbcl, forms), capture_output=True, text=True, timeout=110, check=True
    ).stdout
    shown = [line.split()[1:] for line in output.splitlines() if line.startswith("text")]
    texts = ["".join(chr(int(code)) for code in codes) for codes in shown]
    assert texts == [decoded(octets) for octets in files]
    assert any("\ufffd" in text for text in texts)
    assert any(len(text) == len(octets) and "Ã" in text for text, octets in zip(texts, files, strict=True))

"""The published encoding of facts and receipts: who follows `docs/reference/ledger.md` gets these hashes."""

import re
from datetime import UTC, datetime
from pathlib import Path
from uuid import UUID

from django.conf import settings
from hypothesis import given
from hypothesis import strategies as st

from ledger.entries import Head, follow_up_id
from ledger.hashing import GENESIS, Encoding, client_digest, fact_hash, fact_id, microseconds, receipt_root
from ledger.receipts import heads_text

STREAM = UUID("00112233-4455-6677-8899-aabbccddeeff")
SCOPE = UUID("ffeeddcc-bbaa-9988-7766-554433221100")
AT = datetime(2026, 6, 13, 14, 0, 0, 123456, tzinfo=UTC)
MICROSECONDS = 1781359200123456
CLIENT = UUID("0f0e0d0c-0b0a-0908-0706-050403020100")
FIRST = "0796039a280fca0a16bcc9c129a49042f2954391a1c62fb012fa20e0c2eb3245"
SECOND = "1df20df8cc05db6160a37863fac52e978b57eaec5e94e2b09c620b1288d05bb9"
ROOT = "ef9ed0f7085afb4ce7e292927946168d460b21312c6db25a9dc53a8e63e2e0df"


def test_hash_vector_of_two_facts_and_a_receipt() -> None:
    assert microseconds(AT) == MICROSECONDS
    assert fact_hash(GENESIS, STREAM, 1, "noted", '{"città":"Forlì","n":1}', MICROSECONDS) == FIRST
    digest = client_digest(["noted", {}])
    assert fact_hash(FIRST, STREAM, 2, "noted", "{}", MICROSECONDS + 1, CLIENT, digest) == SECOND
    heads = heads_text([Head(STREAM, 2, SECOND)])
    assert heads == f'[["{STREAM}",2,"{SECOND}"]]'
    assert receipt_root(GENESIS, SCOPE, 1, heads, MICROSECONDS + 2) == ROOT


def test_hash_vector_of_the_first_encoding() -> None:
    first = Encoding.WITHOUT_CLIENT
    one = fact_hash(GENESIS, STREAM, 1, "noted", '{"città":"Forlì","n":1}', MICROSECONDS, encoding=first)
    assert one == "b4f15aa83dca842b0e109b1fd37bb7bdc25e0a2213e48217e538ece6662acc4f"
    two = fact_hash(one, STREAM, 2, "noted", "{}", MICROSECONDS + 1, CLIENT, "f" * 64, first)
    assert two == "c04e56950404464420bd9a09c1f6ff898a789e6a48fc8bbad7f98527a2a331a1"


def test_hash_vector_of_the_second_encoding() -> None:
    second = Encoding.WITHOUT_NUMBER
    one = fact_hash(GENESIS, STREAM, 1, "noted", '{"città":"Forlì","n":1}', MICROSECONDS, encoding=second)
    assert one == "d8390ff0a982335ff5e3e443fa1dd99cd808add9dcde0365ffadc382b4b6e030"
    digest = client_digest(["noted", {}])
    two = fact_hash(one, STREAM, 2, "noted", "{}", MICROSECONDS + 1, CLIENT, digest, second)
    assert two == "fe6d78a44247b5d08a4d57c9875834d87df4a5ecafdc91142ba233f112813e0a"


def test_fact_id_follow_up_id_and_client_digest_are_as_published() -> None:
    assert fact_id(FIRST) == UUID("0796039a-280f-8a0a-96bc-c9c129a49042")
    assert (fact_id(FIRST).version, fact_id(FIRST).variant) == (8, "specified in RFC 4122")
    assert follow_up_id(STREAM, 1) == UUID("2bb28c74-3668-5e67-b896-94fe3712f904")
    assert client_digest({"b": 1, "a": 2}) == client_digest({"a": 2, "b": 1})
    assert client_digest({"a": 1}) != client_digest({"a": True})


def test_published_hash_vector_and_program_are_right() -> None:
    page = (Path(settings.BASE_DIR) / "docs" / "reference" / "ledger.md").read_text(encoding="utf-8")
    for published in (FIRST, SECOND, ROOT, str(fact_id(FIRST)), str(MICROSECONDS)):
        assert published in page
    program = re.findall(r"```python\n(.*?)```", page, re.DOTALL)[0]
    said: list[str] = []
    exec(program, {"__name__": "published", "print": said.append})

    assert said == ["2 facts are as they were recorded."]


@given(
    st.lists(st.text(st.characters(exclude_categories=["Cs"]), max_size=4), min_size=2, max_size=2),
    st.integers(1, 99),
)
def test_hash_separates_the_fields_of_a_fact(fields: list[str], sequence: int) -> None:
    type, text = fields
    shifted = (type + text[:1], text[1:])
    if shifted != (type, text):
        assert fact_hash(GENESIS, STREAM, sequence, type, text, 0) != fact_hash(
            GENESIS, STREAM, sequence, *shifted, 0
        )
    assert fact_hash(GENESIS, STREAM, sequence, type, text, 11) != fact_hash(
        GENESIS, STREAM, sequence * 10 + 1, type, text, 1
    )


def test_heads_text_ignores_empty_streams_and_order() -> None:
    heads = [Head(STREAM, 2, SECOND), Head(SCOPE, 1, FIRST), Head(UUID(int=1), 0, GENESIS)]
    assert heads_text(heads) == heads_text(reversed(heads)) == heads_text(heads[:2])

"""What is pure of webhooks: signatures, where messages may go, pauses, one message to a real server."""

import ipaddress
import socket
import threading
from base64 import b64decode
from datetime import UTC, datetime, timedelta
from unittest import mock

import pytest
from hypothesis import given
from hypothesis import strategies as st

from integrations.webhooks import posting, retry_schedule, signing
from integrations.webhooks.addresses import AddressError, judge, parse
from integrations.webhooks.posting import post
from tests.support.services.receiver import receiver

SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"  # pragma: allowlist secret
PUBLIC = "93.184.215.14"
PRIVATE = (
    *("127.0.0.1", "10.0.0.5", "172.16.0.1", "192.168.1.20", "::1", "fd00::1"),
    # The same, said otherwise.
    *("::ffff:127.0.0.1", "64:ff9b::7f00:1"),
)
NEVER_BY_REGISTRY = (
    *(
        "192.0.0.8",
        "192.0.2.1",
        "192.88.99.1",
        "198.18.0.1",
        "198.51.100.1",
        "203.0.113.1",
        "255.255.255.255",
    ),
    # Site-local, documentation, ORCHID, discard, 6to4 and Teredo (whatever they lead to), and nobody's.
    *("fec0::1", "2001:db8::1", "3fff::1", "2001:20::1", "100::1", "2002:5db8:d70e::1", "4000::1", "5f00::1"),
    *("2001:0:5db8:d70e::1", "::ffff:10.0.0.1", "64:ff9b::a00:1", "64:ff9b:1::1", "::5db8:d70e"),
)
# The metadata of AWS, Google, Alibaba, Oracle and Azure, also said otherwise.
CLOUDS = (
    *("169.254.169.254", "::ffff:169.254.169.254", "64:ff9b::a9fe:a9fe", "fd00:ec2::254", "fd20:ce::254"),
    *("100.100.100.200", "::ffff:100.100.100.200", "64:ff9b::6464:64c8", "192.0.0.192"),
    *("168.63.129.16", "::ffff:168.63.129.16", "64:ff9b::a83f:8110"),
)
NEVER = (
    *("169.254.1.1", "fe80::1", "0.0.0.0", "::", "224.0.0.1", "ff02::1", "100.64.0.1", "240.0.0.1"),
    *CLOUDS,
)


def test_webhook_signature_is_that_of_the_specification() -> None:
    found = signing.signature(SECRET, "msg_p5jXN8AQM9LWM0D4loKWxJek", 1614265330, b'{"test": 2432232314}')
    assert found == "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="


def test_webhook_headers_are_signed_by_both_secrets() -> None:
    other = signing.new_secret()
    told = signing.headers([other, SECRET], "msg_1", 17, b"{}")["webhook-signature"].split(" ")
    assert told == [signing.signature(each, "msg_1", 17, b"{}") for each in (other, SECRET)]


def test_webhook_secret_is_long_and_new_each_time() -> None:
    secret = signing.new_secret()
    assert secret != signing.new_secret()
    assert (secret[:6], len(b64decode(secret[6:]))) == ("whsec_", 32)


def test_retry_pauses_grow_to_six_hours() -> None:
    found = [retry_schedule.pause(failures, 0.5).total_seconds() for failures in range(1, 10)]
    assert found == [5, 20, 80, 320, 1280, 5120, 20480, 21600, 21600]


@given(st.integers(1, 10_000), st.floats(0, 1), st.none() | st.timedeltas(timedelta(0), timedelta(days=30)))
def test_retry_pause_stays_within_its_limits(failures: int, roll: float, asked: timedelta | None) -> None:
    found = retry_schedule.pause(failures, roll, asked)
    assert timedelta(seconds=4) <= found <= timedelta(hours=7.2)
    assert asked is None or found >= min(asked, timedelta(hours=7.2))


def test_retries_are_given_up_after_three_days() -> None:
    since = datetime(2026, 9, 5, tzinfo=UTC)
    found = [retry_schedule.is_given_up(since, since + timedelta(hours=hours)) for hours in (71, 72)]
    assert found == [False, True]


@pytest.mark.parametrize(
    ("url", "code"),
    [
        *((url, "malformed") for url in ("", "x", "ftp://a.b/", "https://", "https://a b/", "https:///x")),
        *(
            (url, "malformed")
            for url in ("https://u:p@a.b/", "https://a.b/#x", "https://a.b:99999/", "https://[")
        ),
        *(
            (url, "malformed")
            for url in ("https://a.b:0/", "https://é.it/", "https://a.b/\r\nX: y", "https://-a/")
        ),
        ("http://example.org/", "not-https"),
        *(
            (f"https://{host}/", "private-address")
            for host in ("127.0.0.1", "10.1.2.3", "[::1]", "[fe80::1]")
        ),
    ],
)
def test_webhook_address_is_refused_with_its_code(url: str, code: str) -> None:
    with pytest.raises(AddressError) as error:
        parse(url, to_private=False)
    assert error.value.code == code


@pytest.mark.parametrize("number", [*PRIVATE, *NEVER, *NEVER_BY_REGISTRY])
def test_private_ip_address_is_refused(number: str) -> None:
    with pytest.raises(AddressError):
        judge(ipaddress.ip_address(number), is_secure=True, to_private=False)


@pytest.mark.parametrize(
    "number",
    [PUBLIC, "192.0.1.1", "2606:2800:220:1::1", "2a00:1450::1", f"::ffff:{PUBLIC}", "64:ff9b::5db8:d70e"],
)
def test_public_ip_address_is_allowed(number: str) -> None:
    judge(ipaddress.ip_address(number), is_secure=True, to_private=False)


def test_private_ip_address_is_allowed_by_the_operator_s_setting() -> None:
    for number in PRIVATE:
        judge(ipaddress.ip_address(number), is_secure=False, to_private=True)
    judge(ipaddress.ip_address(PUBLIC), is_secure=True, to_private=True)
    for number, is_secure in [(PUBLIC, False), *((each, True) for each in NEVER)]:
        with pytest.raises(AddressError):
            judge(ipaddress.ip_address(number), is_secure=is_secure, to_private=True)


@pytest.mark.parametrize("number", CLOUDS)
@pytest.mark.parametrize("to_private", [True, False])
def test_cloud_metadata_address_is_refused_under_any_setting(number: str, to_private: bool) -> None:
    host = f"[{number}]" if ":" in number else number
    with pytest.raises(AddressError) as error:
        parse(f"https://{host}/", to_private=to_private)
    assert error.value.code == "private-address"


def test_webhook_message_arrives_as_it_was_sent() -> None:
    with receiver() as program:
        program.body = "Danke\x00 für\n\tdie Post ".encode() + b"x" * 9000
        answer = post(program.url + "?a=1", b'{"a":1}', {"webhook-id": "msg_1"}, to_private=True)
    (got,) = program.received

    assert (got.path, got.body, got.headers["webhook-id"]) == ("/news?a=1", b'{"a":1}', "msg_1")
    assert got.headers["host"] in program.url
    assert (answer.status, answer.is_success) == (204, True)


@pytest.mark.parametrize(
    ("status", "error"),
    [(200, ""), (299, ""), (301, "redirect"), (304, "redirect"), (400, "refused"), (503, "refused")],
)
def test_webhook_success_is_a_2xx_and_no_redirect_is_followed(status: int, error: str) -> None:
    with receiver() as program, receiver() as elsewhere:
        program.status, program.body = status, b"short"
        program.headers = {"Location": elsewhere.url, "Retry-After": "120"}
        answer = post(program.url, b"{}", {}, to_private=True)
    assert (answer.status, answer.error, answer.is_success) == (status, error, not error)
    assert answer.retry_after == timedelta(minutes=2)
    assert (len(program.received), elsewhere.received) == (1, [])


def test_webhook_answer_is_cut_to_an_excerpt() -> None:
    with receiver() as program:
        program.status, program.body = 200, b"one\r\n\ttwo \x00\xff " + b"x" * 100_000
        answer = post(program.url, b"{}", {}, to_private=True)
    assert (answer.excerpt[:10], len(answer.excerpt)) == ("one two \ufffd ", 200)


def test_webhook_receiver_that_hangs_is_left_at_the_deadline() -> None:
    with receiver() as program:
        program.hangs = threading.Event()
        answer = post(program.url, b"{}", {}, to_private=True, deadline=0.2)
    assert (answer.status, answer.error) == (None, "timeout")


def test_host_name_lookup_is_left_at_the_deadline() -> None:
    found = threading.Event()

    def silent(host: str, port: int) -> list[str]:
        found.wait()
        return [PUBLIC]

    with mock.patch.object(socket, "create_connection") as opened:
        answer = post("https://news.example.org/", b"{}", {}, to_private=False, deadline=0.2, lookup=silent)
    found.set()

    assert (answer.status, answer.error, opened.call_count) == (None, "timeout", 0)


def test_webhook_errors_for_no_connection_and_for_an_unknown_host() -> None:
    with receiver() as program:
        url = program.url
    assert post(url, b"{}", {}, to_private=True).error == "no-connection"
    assert post("https://nowhere.invalid/", b"{}", {}, to_private=True).error == "unknown-host"


def test_https_to_a_server_without_tls_is_a_certificate_error() -> None:
    with receiver() as program:
        assert post(program.url.replace("http:", "https:"), b"{}", {}, to_private=True).error == "certificate"


# --- A name that leads inside -------------------------------------------------------------------------------


def inside(program_url: str) -> str:
    return program_url.replace("127.0.0.1", "news.example.org").replace("http:", "https:")


@pytest.mark.parametrize("numbers", [["127.0.0.1"], [PUBLIC, "127.0.0.1"], ["::ffff:7f00:1"]])
def test_host_name_of_a_private_ip_address_opens_no_connection(numbers: list[str]) -> None:
    with receiver() as program, mock.patch.object(socket, "create_connection") as opened:
        answer = post(inside(program.url), b"{}", {}, to_private=False, lookup=lambda host, port: numbers)
    assert (answer.error, opened.call_count) == ("private-address", 0)


def test_twin_host_name_of_a_private_ip_address_is_reached_unjudged() -> None:
    with receiver() as program, mock.patch.object(posting, "judge"):
        url = program.url.replace("127.0.0.1", "news.example.org")
        answer = post(url, b"{}", {}, to_private=True, lookup=lambda host, port: ["127.0.0.1"])
    assert (answer.status, len(program.received)) == (204, 1)


def test_host_name_is_looked_up_once_against_dns_rebinding() -> None:
    answers = iter([[PUBLIC], ["127.0.0.1"]])
    with mock.patch.object(socket, "create_connection", side_effect=ConnectionRefusedError) as opened:
        post(
            "https://news.example.org/", b"{}", {}, to_private=False, lookup=lambda host, port: next(answers)
        )
    assert opened.call_args.args == ((PUBLIC, 443),)


def test_twin_host_name_looked_up_twice_allows_dns_rebinding() -> None:
    answers = iter([PUBLIC, "127.0.0.1"])

    def by_name(host: str, port: int) -> list[str]:
        number = next(answers)
        judge(ipaddress.ip_address(number), is_secure=True, to_private=False)
        return [number]

    by_name("news.example.org", 443)
    assert next(answers) == "127.0.0.1"

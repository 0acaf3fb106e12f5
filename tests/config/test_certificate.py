"""The laptop's own certificate: good for its address, trusted through its authority, and for nothing else."""

import ipaddress
import ssl
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.x509.verification import PolicyBuilder, Store, VerificationError

from config.embedded.certificate import RENEW_BEFORE, VALID, ServerCertificate, self_made

NOW = datetime(2026, 9, 12, 12, tzinfo=UTC)
ADDRESS = "192.168.1.20"


def load(path: Path | None) -> x509.Certificate:
    """The certificate in a file."""
    assert path is not None
    return x509.load_pem_x509_certificate(path.read_bytes())


def verify(made: ServerCertificate, address: str, authority: x509.Certificate) -> None:
    """Check a certificate as a phone does that trusts this authority."""
    subject = x509.IPAddress(ipaddress.ip_address(address))
    verifier = PolicyBuilder().store(Store([authority])).time(NOW).build_server_verifier(subject)
    verifier.verify(load(made.certificate), [])


def test_certificate_authority_is_trusted_for_its_address_alone(tmp_path: Path) -> None:
    made = self_made(tmp_path, ADDRESS, NOW)
    verify(made, ADDRESS, load(made.authority))
    with pytest.raises(VerificationError):
        verify(made, "192.168.1.21", load(made.authority))
    stranger = self_made(tmp_path / "stranger", ADDRESS, NOW)
    with pytest.raises(VerificationError):
        verify(made, ADDRESS, load(stranger.authority))


def test_certificate_files_are_loaded_by_a_server(tmp_path: Path) -> None:
    made = self_made(tmp_path, ADDRESS, NOW)
    ssl.create_default_context(ssl.Purpose.CLIENT_AUTH).load_cert_chain(made.certificate, made.key)


def test_certificate_keys_are_for_their_owner_alone(tmp_path: Path) -> None:
    self_made(tmp_path, ADDRESS, NOW)
    assert {path.name: path.stat().st_mode & 0o777 for path in tmp_path.glob("*key*")} == {
        "key.pem": 0o600,
        "authority-key.pem": 0o600,
    }


def test_certificate_is_renewed_for_a_new_address_or_when_it_expires(tmp_path: Path) -> None:
    first = load(self_made(tmp_path, ADDRESS, NOW).certificate)
    assert load(self_made(tmp_path, ADDRESS, NOW + timedelta(days=1)).certificate) == first
    authority = load(self_made(tmp_path, ADDRESS, NOW).authority)

    elsewhere = self_made(tmp_path, "10.0.0.7", NOW)
    assert load(elsewhere.certificate) != first
    late = self_made(tmp_path, "10.0.0.7", NOW + VALID - RENEW_BEFORE)
    assert load(late.certificate).not_valid_after_utc == NOW + VALID - RENEW_BEFORE + VALID
    # Phones go on trusting: the authority is the one that they have installed.
    assert load(late.authority) == authority


def test_certificate_authority_is_constrained_to_private_networks(tmp_path: Path) -> None:
    made = self_made(tmp_path, ADDRESS, NOW)
    constraints = load(made.authority).extensions.get_extension_for_class(x509.NameConstraints)
    assert constraints.critical
    assert [str(subtree.value) for subtree in constraints.value.permitted_subtrees or []] == [
        "10.0.0.0/8",
        "172.16.0.0/12",
        "192.168.0.0/16",
        "169.254.0.0/16",
        "127.0.0.0/8",
        "localhost",
    ]


def test_certificate_for_a_public_address_gets_an_authority_of_its_own(tmp_path: Path) -> None:
    private = load(self_made(tmp_path, ADDRESS, NOW).authority)
    public = self_made(tmp_path, "203.0.113.9", NOW)
    assert load(public.authority) != private
    verify(public, "203.0.113.9", load(public.authority))

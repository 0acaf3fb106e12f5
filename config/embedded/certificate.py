"""A certificate for the laptop, for phones that shall work without connection: browsers ask for HTTPS.

Self-made, it comes from a small authority of the laptop's own. A phone that has the authority's certificate
installed trusts the laptop; the authority can vouch for private networks alone, so a phone risks nothing
elsewhere.
"""

import ipaddress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

# Phones refuse certificates that are valid for longer than 825 days.
VALID = timedelta(days=365)
RENEW_BEFORE = timedelta(days=30)
AUTHORITY_VALID = timedelta(days=3650)

PRIVATE = ("10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "169.254.0.0/16", "127.0.0.0/8")


@dataclass(frozen=True)
class ServerCertificate:
    """The files a server needs, and the authority's certificate for phones to install (None: a given one)."""

    certificate: Path
    key: Path
    authority: Path | None = None


def self_made(folder: Path, address: str, now: datetime | None = None) -> ServerCertificate:
    """The laptop's certificate for `address` (IPv4), from `folder`, made or renewed there if need be."""
    now = now or datetime.now(UTC)
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    made = ServerCertificate(folder / "certificate.pem", folder / "key.pem", folder / "authority.pem")
    if not still_good(made.certificate, address, now):
        issuer, issuer_key = authority(folder, address, now)
        issue(made, issuer, issuer_key, address, now)
    return made


def still_good(path: Path, address: str, now: datetime) -> bool:
    """Whether a certificate is for this address and lasts a while."""
    if not path.exists():
        return False
    certificate = x509.load_pem_x509_certificate(path.read_bytes())
    names = certificate.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    return (
        ipaddress.ip_address(address) in names.get_values_for_type(x509.IPAddress)
        and certificate.not_valid_after_utc - RENEW_BEFORE > now
    )


def authority(
    folder: Path, address: str, now: datetime
) -> tuple[x509.Certificate, ec.EllipticCurvePrivateKey]:
    """The laptop's authority and its key, made at the first time and when it can't vouch for the address."""
    certificate_path, key_path = folder / "authority.pem", folder / "authority-key.pem"
    if certificate_path.exists() and key_path.exists():
        certificate = x509.load_pem_x509_certificate(certificate_path.read_bytes())
        key = serialization.load_pem_private_key(key_path.read_bytes(), None)
        if isinstance(key, ec.EllipticCurvePrivateKey) and vouches(certificate, address):
            return certificate, key
    key = ec.generate_private_key(ec.SECP256R1())
    networks = [ipaddress.ip_network(network) for network in PRIVATE]
    if not any(ipaddress.ip_address(address) in network for network in networks):
        networks.append(ipaddress.ip_network(address))
    name = x509.Name(
        [x509.NameAttribute(NameOID.COMMON_NAME, f"Tendone on this laptop, {now:%Y-%m-%d %H:%M}")]
    )
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + AUTHORITY_VALID)
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .add_extension(
            x509.NameConstraints([*map(x509.IPAddress, networks), x509.DNSName("localhost")], None),
            critical=True,
        )
        .add_extension(key_usage(certifies=True), critical=True)
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), critical=False)
        .sign(key, hashes.SHA256())
    )
    write_key(key_path, key)
    certificate_path.write_bytes(certificate.public_bytes(serialization.Encoding.PEM))
    return certificate, key


def vouches(certificate: x509.Certificate, address: str) -> bool:
    """Whether an authority's constraints admit an address."""
    permitted = (
        certificate.extensions.get_extension_for_class(x509.NameConstraints).value.permitted_subtrees or []
    )
    return any(
        isinstance(subtree.value, ipaddress.IPv4Network) and ipaddress.ip_address(address) in subtree.value
        for subtree in permitted
    )


def issue(
    to: ServerCertificate,
    issuer: x509.Certificate,
    issuer_key: ec.EllipticCurvePrivateKey,
    address: str,
    now: datetime,
) -> None:
    """Write a certificate for the address, and for the laptop itself, with its key."""
    key = ec.generate_private_key(ec.SECP256R1())
    hosts = [
        x509.IPAddress(ipaddress.ip_address(address)),
        x509.IPAddress(ipaddress.ip_address("127.0.0.1")),
        x509.DNSName("localhost"),
    ]
    certificate = (
        x509.CertificateBuilder()
        .subject_name(x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, address)]))
        .issuer_name(issuer.subject)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + VALID)
        .add_extension(x509.SubjectAlternativeName(hosts), critical=False)
        .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
        .add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH]), critical=False)
        .add_extension(key_usage(certifies=False), critical=True)
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), critical=False)
        .add_extension(
            x509.AuthorityKeyIdentifier.from_issuer_public_key(issuer_key.public_key()), critical=False
        )
        .sign(issuer_key, hashes.SHA256())
    )
    write_key(to.key, key)
    to.certificate.write_bytes(certificate.public_bytes(serialization.Encoding.PEM))


def key_usage(*, certifies: bool) -> x509.KeyUsage:
    """What a key may be used for: signing certificates, or the handshakes of a server."""
    return x509.KeyUsage(
        digital_signature=not certifies,
        content_commitment=False,
        key_encipherment=False,
        data_encipherment=False,
        key_agreement=False,
        key_cert_sign=certifies,
        crl_sign=certifies,
        encipher_only=False,
        decipher_only=False,
    )


def write_key(path: Path, key: ec.EllipticCurvePrivateKey) -> None:
    """Write a private key that its owner alone can read."""
    path.unlink(missing_ok=True)
    path.touch(mode=0o600)
    path.write_bytes(
        key.private_bytes(
            serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
        )
    )

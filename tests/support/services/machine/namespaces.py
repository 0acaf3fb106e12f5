"""Folders, network and processes that nobody else sees."""

import fcntl
import socket
import stat
import struct
import subprocess
import sys
from pathlib import Path

APART = ["unshare", "--mount", "--net", "--pid", "--fork", "--kill-child", "--mount-proc"]
"""Runs the command that follows with mounts, network and processes of its own, which end with it."""

SCRATCH = Path("/mnt")
"""In memory there: what is changed, and temporary files."""
_IFF_UP, _SIOCSIFFLAGS = 1, 0x8914


def is_possible() -> bool:
    """Whether this account may have a machine apart."""
    try:
        command = [*APART, "mount", "-t", "tmpfs", "tried", str(SCRATCH)]
        return subprocess.run(command, capture_output=True, check=False).returncode == 0
    except OSError:
        return False


def set_up() -> None:
    """Within: have folders of the system in which nothing that is changed is kept, and a network of one."""
    run("mount", "-t", "tmpfs", "scratch", str(SCRATCH))
    python = Path(sys.base_prefix).resolve()
    for folder in dict.fromkeys(["etc", "opt", "usr/local", "var", python.parts[1]]):
        if folder == "usr":
            continue
        upper, work = SCRATCH / "changed" / folder / "upper", SCRATCH / "changed" / folder / "work"
        upper.mkdir(parents=True)
        work.mkdir()
        layers = f"lowerdir=/{folder},upperdir={upper},workdir={work}"
        run("mount", "-t", "overlay", "apart", "-o", layers, f"/{folder}")
    run("mount", "-t", "tmpfs", "run", "/run")
    Path("/run").chmod(0o755)
    # Whoever else is to run this Python has to come by its folders.
    for place in [*reversed(python.parents), python]:
        mode = stat.S_IMODE(place.stat().st_mode)
        if not mode & stat.S_IXOTH:
            place.chmod(mode | stat.S_IXOTH)
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as any_socket:
        fcntl.ioctl(any_socket, _SIOCSIFFLAGS, struct.pack("16sh14x", b"lo", _IFF_UP))


def run(*command: str) -> None:
    """Run a command; raise with what it said if it fails."""
    ended = subprocess.run(command, capture_output=True, text=True, check=False)
    if ended.returncode:
        raise RuntimeError(
            f"{' '.join(command)} ended with {ended.returncode}:\n{ended.stdout}{ended.stderr}"
        )

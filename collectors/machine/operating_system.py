"""The operating system: name, release, C library, container, virtual machine."""

import os
import sys

from tfhelp.collectors.machine.files import read_file
from tfhelp.collectors.machine.processor import first_processor
from tfhelp.kb.fact_sheet import FactSheet


def read_operating_system(sheet: FactSheet, root: str = "/") -> None:
    """``os.*``. ``root`` is where /proc, /sys and /etc are found (the tests bring their own)."""
    name = {"win32": "windows", "cygwin": "windows", "darwin": "macos"}.get(sys.platform, "linux")
    sheet.put("os.name", name, "sys.platform")
    if name == "windows":
        version = sys.getwindowsversion()  # type: ignore[attr-defined, unused-ignore]
        # Windows 11 still calls itself 10.0; its builds begin at 22000.
        edition = "11" if version.build >= 22000 else str(version.major)
        sheet.put("os.release", f"Windows {edition} (build {version.build})", "sys.getwindowsversion")
        sheet.put("os.architecture", os.environ.get("PROCESSOR_ARCHITECTURE"), "PROCESSOR_ARCHITECTURE")
        sheet.put("os.wsl", False, "sys.platform")
        return
    sheet.put("os.architecture", os.uname().machine, "uname")
    if name == "macos":
        import platform

        sheet.put("os.release", "macOS " + platform.mac_ver()[0], "platform.mac_ver")
        sheet.put("os.wsl", False, "sys.platform")
        sheet.put("os.container", False, "sys.platform")
        return
    _read_distribution(sheet, root)
    kernel = read_file(os.path.join(root, "proc/sys/kernel/osrelease")).lower()
    sheet.put("os.wsl", "microsoft" in kernel, "/proc/sys/kernel/osrelease")
    sheet.put("os.container", _in_container(root), "marks of container runtimes")
    flags = first_processor(root).get("flags", "")
    vendor = read_file(os.path.join(root, "sys/class/dmi/id/sys_vendor")).lower()
    virtual = " hypervisor " in flags or any(word in vendor for word in ("qemu", "vmware", "xen", "innotek", "amazon ec2"))
    sheet.put("os.virtual_machine", virtual, "/proc/cpuinfo and DMI")


def _read_distribution(sheet: FactSheet, root: str) -> None:
    fields = {}
    for line in read_file(os.path.join(root, "etc/os-release")).splitlines():
        key, _, value = line.partition("=")
        fields[key.strip()] = value.strip().strip("\"'")
    release = (fields.get("NAME", "") + " " + fields.get("VERSION_ID", "")).strip()
    sheet.put("os.release", release or None, "/etc/os-release")
    try:
        library = os.confstr("CS_GNU_LIBC_VERSION") or ""
    except (ValueError, OSError, AttributeError):  # musl and others do not know this name
        library = ""
    sheet.put("os.glibc", library.partition(" ")[2] or None, "confstr")


def _in_container(root: str) -> bool:
    if any(os.path.exists(os.path.join(root, mark)) for mark in (".dockerenv", "run/.containerenv", ".singularity.d")):
        return True
    if any(name in os.environ for name in ("KUBERNETES_SERVICE_HOST", "SINGULARITY_CONTAINER", "APPTAINER_CONTAINER")):
        return True
    groups = read_file(os.path.join(root, "proc/1/cgroup"))
    if any(word in groups for word in ("docker", "kubepods", "containerd", "/lxc", "libpod")):
        return True
    # With cgroup v2, a container sees no names there, but its root is an overlay.
    for line in read_file(os.path.join(root, "proc/self/mounts"), 65536).splitlines():
        fields = line.split()
        if len(fields) > 2 and fields[1] == "/" and fields[2] == "overlay":
            return True
    return False

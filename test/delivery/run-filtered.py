"""Runs a program with a seccomp filter like systemd: all system calls except the named ones fail with EPERM."""
import ctypes
import os
import sys

ALLOW = 0x7FFF0000
DENY = 0x00050001  # with errno 1, EPERM

names, *program = sys.argv[1:]
seccomp = ctypes.CDLL('libseccomp.so.2')
seccomp.seccomp_init.restype = ctypes.c_void_p
context = ctypes.c_void_p(seccomp.seccomp_init(DENY))
for name in names.split():
    number = seccomp.seccomp_syscall_resolve_name(name.encode())
    # The number is negative for calls that exist only on other CPU architectures.
    if number >= 0 and seccomp.seccomp_rule_add_array(context, ALLOW, number, 0, None) != 0:
        sys.exit(f'{name} could not be allowed')
if seccomp.seccomp_load(context) != 0:
    sys.exit('the filter could not be loaded')
os.execvp(program[0], program)

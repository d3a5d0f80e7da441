"""System calls that a contained program may make, with their numbers by machine.

Everything absent is refused: processes and threads (``clone``, ``execve``), the network
(``socket``), other processes (``ptrace``, ``pidfd_open``), mounts, namespaces, kernel memory
(``memfd_create``, ``shmget``, ``bpf``, ``io_uring_setup``), owners and attributes of files.

Source: the kernel's ``asm/unistd_64.h`` and ``asm-generic/unistd.h``.
"""

from __future__ import annotations

CHECKED = ("fcntl", "ioctl", "kill", "prctl", "prlimit64", "socketpair", "tgkill", "tkill")
"""Calls that are allowed with some arguments only."""

_X86_64 = """
read=0 write=1 readv=19 writev=20 pread64=17 pwrite64=18 preadv=295 pwritev=296 preadv2=327
pwritev2=328 open=2 openat=257 creat=85 close=3 close_range=436 stat=4 fstat=5 lstat=6
newfstatat=262 statx=332 lseek=8 mmap=9 mprotect=10 munmap=11 mremap=25 madvise=28 brk=12
msync=26 mincore=27 rt_sigaction=13 rt_sigprocmask=14 rt_sigreturn=15 rt_sigpending=127
rt_sigsuspend=130 rt_sigtimedwait=128 sigaltstack=131 restart_syscall=219 access=21
faccessat=269 faccessat2=439 pipe=22 pipe2=293 select=23 pselect6=270 poll=7 ppoll=271
epoll_create=213 epoll_create1=291 epoll_ctl=233 epoll_wait=232 epoll_pwait=281
epoll_pwait2=441 eventfd=284 eventfd2=290 timerfd_create=283 timerfd_settime=286
timerfd_gettime=287 dup=32 dup2=33 dup3=292 nanosleep=35 clock_nanosleep=230
clock_gettime=228 clock_getres=229 gettimeofday=96 time=201 times=100 getitimer=36
setitimer=38 alarm=37 pause=34 getpid=39 getppid=110 gettid=186 getuid=102 geteuid=107
getgid=104 getegid=108 getresuid=118 getresgid=120 getgroups=115 getpgid=121 getpgrp=111
getsid=124 getrlimit=97 getrusage=98 getpriority=140 sysinfo=99 uname=63 umask=95 getcwd=79
chdir=80 fchdir=81 rename=82 renameat=264 renameat2=316 mkdir=83 mkdirat=258 rmdir=84
unlink=87 unlinkat=263 link=86 linkat=265 symlink=88 symlinkat=266 readlink=89
readlinkat=267 chmod=90 fchmod=91 fchmodat=268 fchmodat2=452 utime=132 utimes=235
utimensat=280 futimesat=261 truncate=76 ftruncate=77 fallocate=285 fadvise64=221 fsync=74
fdatasync=75 getdents=78 getdents64=217 statfs=137 fstatfs=138 flock=73 sendfile=40
copy_file_range=326 readahead=187 futex=202 set_robust_list=273 rseq=334
set_tid_address=218 arch_prctl=158 sched_yield=24 sched_getaffinity=204
sched_getscheduler=145 sched_getparam=143 sched_get_priority_max=146
sched_get_priority_min=147 getcpu=309 capget=125 wait4=61 waitid=247 exit=60 exit_group=231
getrandom=318 membarrier=324 sendto=44 recvfrom=45 shutdown=48 getsockname=51 getpeername=52
getsockopt=55 ioctl=16 fcntl=72 kill=62 tkill=200 tgkill=234 socketpair=53 prlimit64=302
prctl=157
"""
_AARCH64 = """
read=63 write=64 readv=65 writev=66 pread64=67 pwrite64=68 preadv=69 pwritev=70 preadv2=286
pwritev2=287 openat=56 close=57 close_range=436 fstat=80 newfstatat=79 statx=291 lseek=62
mmap=222 mprotect=226 munmap=215 mremap=216 madvise=233 brk=214 msync=227 mincore=232
rt_sigaction=134 rt_sigprocmask=135 rt_sigreturn=139 rt_sigpending=136 rt_sigsuspend=133
rt_sigtimedwait=137 sigaltstack=132 restart_syscall=128 faccessat=48 faccessat2=439 pipe2=59
pselect6=72 ppoll=73 epoll_create1=20 epoll_ctl=21 epoll_pwait=22 epoll_pwait2=441
eventfd2=19 timerfd_create=85 timerfd_settime=86 timerfd_gettime=87 dup=23 dup3=24
nanosleep=101 clock_nanosleep=115 clock_gettime=113 clock_getres=114 gettimeofday=169
times=153 getitimer=102 setitimer=103 getpid=172 getppid=173 gettid=178 getuid=174
geteuid=175 getgid=176 getegid=177 getresuid=148 getresgid=150 getgroups=158 getpgid=155
getsid=156 getrlimit=163 getrusage=165 getpriority=141 sysinfo=179 uname=160 umask=166
getcwd=17 chdir=49 fchdir=50 renameat=38 renameat2=276 mkdirat=34 unlinkat=35 linkat=37
symlinkat=36 readlinkat=78 fchmod=52 fchmodat=53 fchmodat2=452 utimensat=88 truncate=45
ftruncate=46 fallocate=47 fadvise64=223 fsync=82 fdatasync=83 getdents64=61 statfs=43
fstatfs=44 flock=32 sendfile=71 copy_file_range=285 readahead=213 futex=98
set_robust_list=99 rseq=293 set_tid_address=96 sched_yield=124
sched_getaffinity=123 sched_getscheduler=120 sched_getparam=121 sched_get_priority_max=125
sched_get_priority_min=126 getcpu=168 capget=90 wait4=260 waitid=95 exit=93 exit_group=94
getrandom=278 membarrier=283 sendto=206 recvfrom=207 shutdown=210 getsockname=204
getpeername=205 getsockopt=209 ioctl=29 fcntl=25 kill=129 tkill=130 tgkill=131
socketpair=199 prlimit64=261 prctl=167
"""
_TABLES = {"x86_64": _X86_64, "aarch64": _AARCH64}


def syscall_numbers(machine: str) -> dict[str, int]:
    """Return the number of each allowed system call; empty for a machine that isn't known."""
    pairs = (entry.partition("=") for entry in _TABLES.get(machine, "").split())
    return {name: int(number) for name, _, number in pairs}

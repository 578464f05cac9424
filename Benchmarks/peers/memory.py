"""What memory an operation takes, in kB, for all peers; bench programs take it in the same way."""
import os
import subprocess


def peak(work):
    """What this process holds while `work` runs beyond what it had before, at the most."""
    # "5" makes the peak begin anew (proc(5)).
    with open("/proc/self/clear_refs", "w") as file:
        file.write("5")
    before = field("self", "VmRSS")
    work()
    return max(0, field("self", "VmHWM") - before)


def peak_of(words, **options):
    """What a program holds that does it, all of the program, at the most."""
    process = subprocess.Popen(words, **options)
    _, status, usage = os.wait4(process.pid, 0)
    if status != 0:
        raise subprocess.CalledProcessError(os.waitstatus_to_exitcode(status), words)
    return usage.ru_maxrss * 1.024


def field(process, name):
    with open(f"/proc/{process}/status") as file:
        return next(int(line.split()[1]) * 1.024 for line in file if line.startswith(name + ":"))

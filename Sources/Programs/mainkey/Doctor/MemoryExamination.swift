import BasicFoundation
import CLinux
import Files
import MainKey
import SecretMemory

/// How well secrets are kept in memory, and where memory goes.
enum MemoryExamination {
    static func findings() -> [Finding] {
        [lockedMemory(), secretMemory(), coreDumps(), tracing(), swap(), cleartextPlace()]
    }

    private static func lockedMemory() -> Finding {
        let limits = (try? String(contentsOfFile: "/proc/self/limits", encoding: .utf8)) ?? ""
        let line = limits.split(separator: "\n").first { $0.hasPrefix("Max locked memory") }
        guard let soft = line?.dropFirst("Max locked memory".count).split(separator: " ").first else {
            return Finding("locked memory", .unknown, found: "the limit cannot be read")
        }
        let limit = Int(soft)
        let isEnough = limit ?? .max >= 64 << 10
        let words = limit.map { "limit \($0 >> 10) KiB" } ?? "no limit"
        return Finding(
            "locked memory", isEnough ? .good : .weak, found: words,
            advice: isEnough ? nil : "Raise it to 64 KiB or more: ulimit -l, or memlock in /etc/security/limits.conf.")
    }

    private static func secretMemory() -> Finding {
        guard let backing = try? SecretMemoryStatus.current().backing else {
            return Finding(
                "secret memory", .bad, found: "none to be had", advice: "Raise the limit of locked memory (ulimit -l).")
        }
        switch backing {
        case .kernelSecret:
            return Finding(
                "secret memory", .good, found: "kernel secret pages (memfd_secret): out of reach for debuggers")
        case .guarded:
            return Finding(
                "secret memory", .weak, found: "locked pages: never swapped, but a debugger with rights can read them",
                advice: "Boot with secretmem.enable=1 (Linux 5.14 and later) for pages that nobody else can read.")
        case .unlocked:
            return Finding(
                "secret memory", .bad, found: "not locked: keys may be swapped to a disk",
                advice: "Raise the limit of locked memory: ulimit -l.")
        }
    }

    private static func coreDumps() -> Finding {
        guard clinux_is_hardened() == 1 else {
            return Finding(
                "core dumps", .bad, found: "this process could leave one", advice: "Report this as a defect.")
        }
        return Finding("core dumps", .good, found: "off for this process")
    }

    private static func tracing() -> Finding {
        let scope = (try? String(contentsOfFile: "/proc/sys/kernel/yama/ptrace_scope", encoding: .utf8))
            .flatMap { Int($0.trimmingCharacters(in: .whitespacesAndNewlines)) }
        return switch scope {
        case nil:
            Finding("tracing", .unknown, found: "the kernel has no Yama: processes of this user may trace each other")
        case 0:
            Finding(
                "tracing", .weak, found: "any process of this user may trace another",
                advice: "sysctl kernel.yama.ptrace_scope=1")
        default: Finding("tracing", .good, found: "restricted (ptrace_scope \(scope ?? 1))")
        }
    }

    private static func swap() -> Finding {
        guard let table = try? String(contentsOfFile: "/proc/swaps", encoding: .utf8) else {
            return Finding("swap", .unknown, found: "/proc/swaps cannot be read")
        }
        let devices = table.split(separator: "\n").dropFirst().compactMap {
            $0.split(separator: " ").first.map(String.init)
        }
        let open = devices.filter { !isSafe($0) }
        if devices.isEmpty { return Finding("swap", .good, found: "none") }
        if open.isEmpty {
            return Finding("swap", .good, found: "in memory or encrypted: \(devices.joined(separator: ", "))")
        }
        return Finding(
            "swap", .weak, found: "not encrypted: \(open.joined(separator: ", "))",
            advice: "Cleartext in tmpfs can reach this disk. Use zram, or encrypt it (crypttab with /dev/urandom).")
    }

    private static func isSafe(_ device: String) -> Bool {
        let name = URL(filePath: device).resolvingSymlinksInPath().lastPathComponent
        if name.hasPrefix("zram") { return true }
        let kind = try? String(contentsOfFile: "/sys/block/\(name)/dm/uuid", encoding: .utf8)
        return kind?.hasPrefix("CRYPT-") ?? false
    }

    private static func cleartextPlace() -> Finding {
        let runtime = ProcessInfo.processInfo.environment["XDG_RUNTIME_DIR"]
        for folder in [runtime, "/dev/shm"].compactMap({ $0 }) {
            guard let place = try? Folder(FilePath(folder), followsLinks: true) else { continue }
            if FileSystemKind(descriptor: place.descriptor.rawValue) == .memory {
                return Finding("cleartext files", .good, found: "\(folder) is in memory")
            }
        }
        return Finding(
            "cleartext files", .weak, found: "neither $XDG_RUNTIME_DIR nor /dev/shm is in memory",
            advice: "Mount a tmpfs on /dev/shm; until then no file is opened as cleartext.")
    }
}

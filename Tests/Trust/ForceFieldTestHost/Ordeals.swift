import CForceField
import CLinux
import ForceField
import ForceFieldTestMethods
import Glibc

/// What befalls a host's workers before they have started.
enum Ordeals {
    /// Ends what a start has made so far, a little later each time. Prints how many calls came to nothing, and what is
    /// left.
    static func deaths(_ count: Int) async throws {
        var lost = 0
        for number in 0..<count {
            let field = try field()
            async let reply = try? field.call(Hostile.act, [HostileAct.echo.rawValue, 1])
            try await Task.sleep(for: .microseconds(number * 100))
            endChildren()
            if await reply == nil { lost += 1 }
            await field.terminate()
        }
        try await serve()
        print(lost > 0, await Holdings.childrenLeft())
    }

    /// Leaves no room for descriptors, then for one, and so on, until a start finds enough. Prints how often it did
    /// not, and what is left.
    static func exhaustion() async throws {
        try await serve()
        var limit = rlimit()
        getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        limit.rlim_cur = 256
        setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        var held: [Int32] = []
        let field = try field()
        while case let file = open("/dev/null", O_RDONLY | O_CLOEXEC), file >= 0 { held.append(file) }
        var refusals = 0
        while await (try? field.call(Hostile.act, [HostileAct.echo.rawValue, 1])) == nil {
            refusals += 1
            guard let file = held.popLast() else { break }
            close(file)
        }
        for file in held { close(file) }
        _ = try await field.call(Hostile.act, [HostileAct.echo.rawValue, 1])
        await field.terminate()
        print(refusals > 5, await Holdings.childrenLeft())
    }

    private static func serve() async throws {
        let field = try field()
        _ = try await field.call(Hostile.act, [HostileAct.echo.rawValue, 1])
        await field.terminate()
    }

    private static func field() throws -> ForceField {
        try ForceField(
            worker: .beside("HostileWorker"), policy: Policy { $0.startTimeout = .seconds(300) },
            interface: Hostile.interface())
    }

    /// Held by a descriptor and looked at again: another process may have got the number in between.
    private static func endChildren() {
        for child in Holdings.children() {
            let process = clinux_process_open(child)
            guard process >= 0 else { continue }
            defer { close(process) }
            let stat = ProcFile.text("/proc/\(child)/stat").split(separator: ")").last ?? ""
            guard stat.split(separator: " ").dropFirst().first.flatMap({ Int32($0) }) == getpid() else { continue }
            _ = cforcefield_kill_pidfd(process)
        }
    }
}

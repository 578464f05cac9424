import ForceField
import ForceFieldTestMethods
import Glibc

/// How much this process grows by what a worker does, and what of the processors' time it takes.
enum Growth {
    static func underFlood(of act: HostileAct) async throws {
        let field = try ForceField(
            worker: .beside("HostileWorker"),
            policy: Policy {
                $0.startTimeout = .seconds(300)
                $0.cancelGrace = .zero
                switch act {
                case .floodSurface: $0.capabilities = [.surface(width: 512, height: 512)]
                case .floodNetwork: $0.capabilities = [.networkClient([.init(host: "127.0.0.1", port: 1)])]
                default: break
                }
            },
            interface: Hostile.interface(), onSurface: { _ in })
        let before = try await residentBytes(after: field)
        let began = processorMilliseconds()
        do throws(ForceFieldError) {
            _ = try await field.call(Hostile.act, [act.rawValue] + Array("127.0.0.1 1".utf8), deadline: .seconds(2))
            print("it ended before its time was over")
        } catch {
            print(residentBytes() - before, error == .deadlineExceeded, processorMilliseconds() - began)
        }
        await field.terminate()
    }

    static func underItems() async throws {
        let field = try ForceField(
            worker: .beside("HostileWorker"), policy: Policy { $0.startTimeout = .seconds(300) },
            interface: Hostile.interface())
        let before = try await residentBytes(after: field)
        let stream = field.stream(Hostile.stream, [HostileAct.endlessItems.rawValue])
        try await Task.sleep(for: .milliseconds(500))
        let growth = residentBytes() - before
        var iterator = stream.makeAsyncIterator()
        print(growth, try await iterator.next() == [0, 0, 0])
        await field.terminate()
    }

    /// The time of all processors that this process has taken.
    private static func processorMilliseconds() -> Int {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return time.tv_sec * 1_000 + time.tv_nsec / 1_000_000
    }

    /// After a first call, which brings what every host needs.
    private static func residentBytes(after field: ForceField) async throws -> Int {
        _ = try await field.call(Hostile.act, [HostileAct.echo.rawValue] + [UInt8](repeating: 0, count: 1 << 20))
        return residentBytes()
    }

    private static func residentBytes() -> Int {
        let pages = ProcFile.text("/proc/self/statm").split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
        return pages * Int(sysconf(Int32(_SC_PAGESIZE)))
    }
}

/// A small file of the kernel.
enum ProcFile {
    static func text(_ path: String) -> String {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return "" }
        defer { close(file) }
        var text: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 4_096)
        while case let count = read(file, &piece, piece.count), count > 0 { text += piece[..<count] }
        return String(decoding: text, as: UTF8.self)
    }

    /// What a link of the kernel's says; empty where it is gone.
    static func target(_ path: String) -> String {
        var text = [UInt8](repeating: 0, count: 4_096)
        let count = text.withUnsafeMutableBytes { readlink(path, $0.bindMemory(to: CChar.self).baseAddress!, $0.count) }
        return String(decoding: text.prefix(max(0, count)), as: UTF8.self)
    }
}

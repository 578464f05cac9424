import AppAttest
import CLibrary
import Files
import Gate

/// A program with a JSON key store that tests kill.
///
///     register PATH FIRST: registers keys without end, four at a time, and prints the number of each that is
///         acknowledged.
///     step PATH NUMBER STEP: registers one key and ends by itself at that step of saving it; prints "acknowledged" if
///         it does not.
///     fill PATH BALLAST: registers keys until one is refused, prints how many were acknowledged and "refused"; removes
///         the file BALLAST, which makes room, registers one more and prints "recovered".
enum Host {
    static let start = Timestamp(milliseconds: 1_771_286_400_000)

    static func key(_ number: Int, receipt: Int = 0) -> AttestedKey {
        var bytes = [UInt8](repeating: 0, count: 32)
        for index in 0..<8 { bytes[index] = UInt8(truncatingIfNeeded: number >> (8 * (7 - index))) }
        guard let id = KeyID(bytes: bytes), let app = AppID("ABCDE12345.com.example.app") else { exit(70) }
        return AttestedKey(
            id: id, appID: app, environment: .production, publicKey: [4] + bytes + bytes,
            registeredAt: Timestamp(milliseconds: start.milliseconds + Int64(number)),
            lastUsedAt: Timestamp(milliseconds: start.milliseconds + Int64(number)),
            receipt: receipt == 0 ? nil : StoredReceipt(bytes: [UInt8](repeating: 7, count: receipt)))
    }

    static func tell(_ line: String) {
        let bytes = Array((line + "\n").utf8)
        _ = bytes.withUnsafeBytes { write(1, $0.baseAddress, $0.count) }
    }

    static func open(_ path: String, onStep: @escaping @Sendable (ReplacementStep) -> Void = { _ in }) throws
        -> JSONKeyStore
    {
        var options = JSONKeyStore.Options()
        options.maximumKeys = 1_000_000
        return try JSONKeyStore(KeyFile(path, onStep: onStep), options, now: start, timer: SystemTimer())
    }

    static func register(_ path: String, from first: Int) async throws {
        let store = try open(path)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for lane in 0..<4 {
                group.addTask {
                    for number in stride(from: first + lane, to: Int.max, by: 4) {
                        guard case .inserted = try await store.insertIfAbsent(key(number, receipt: 3_000)) else {
                            exit(3)
                        }
                        tell(String(number))
                    }
                }
            }
            try await group.waitForAll()
        }
    }

    static func endAtStep(_ path: String, _ number: Int, _ step: String) async throws {
        let store = try open(path) { if $0.rawValue == step { _exit(9) } }
        _ = try await store.insertIfAbsent(key(number))
        tell("acknowledged")
    }

    static func fill(_ path: String, _ ballast: String) async throws {
        let store = try open(path)
        var count = 0
        while (try? await store.insertIfAbsent(key(count, receipt: 3_000))) != nil { count += 1 }
        tell("\(count) refused")
        guard (try? store.check()) == nil, store.key(key(count).id) == nil else { exit(4) }
        unlink(ballast)
        _ = try await store.insertIfAbsent(key(count))
        try store.check()
        tell("recovered")
        await store.close()
    }
}

let arguments = CommandLine.arguments
do {
    switch arguments.count > 3 ? arguments[1] : "" {
    case "register": try await Host.register(arguments[2], from: Int(arguments[3]) ?? 0)
    case "step" where arguments.count > 4:
        try await Host.endAtStep(arguments[2], Int(arguments[3]) ?? 0, arguments[4])
    case "fill": try await Host.fill(arguments[2], arguments[3])
    default: exit(2)
    }
} catch {
    Host.tell("\(error)")
    exit(1)
}

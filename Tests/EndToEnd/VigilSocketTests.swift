import CodeMeasurement
import Files
import Foundation
import HardwareKeys
import Logging
import Testing

@testable import Vigil

/// Somebody who can use the app's key, as another process of the same user can where it lies in software, and says what
/// he likes over the real socket.
///
/// Source: `vigil` sections 1.2, 4.1 and 7.
@Suite("Vigil's socket, meddled with", .serialized, .timeLimit(.minutes(30)))
struct VigilSocketTests {
    private let vigil: VigilInstallation
    private let validator: RunningProgram
    private let key: any SigningKey
    private let manifest: Manifest

    init() throws {
        vigil = try VigilInstallation()
        validator = try vigil.startValidator()
        key = try HardwareSigningKeys(
            in: StateDirectory(path: vigil.scratch.path("app")),
            hardware: HardwareSigningKeys.standardHardware(tpm: nil), policy: KeyPolicy(requireHardware: false),
            logger: Logger(label: "tests")
        ).load(tag: KeyStore.appTag)
        let file = try Data(contentsOf: URL(filePath: vigil.scratch.path("root/vigil-manifest.json")))
        let release = try String(contentsOfFile: vigil.scratch.path("release.pub"), encoding: .utf8)
        let releaseKey = try #require(PublicKey(pem: release))
        let trusted = try #require(TrustedKeys([releaseKey]))
        manifest = try Manifest(verifying: Array(file), by: trusted)
    }

    private var deadline: Deadline { SuspendingClock().now.advanced(by: .seconds(300)) }

    private func connect() throws -> (UnixSocketChannel, challenge: Sent<Challenge>) {
        let channel = try UnixSocketChannel.connect(to: vigil.scratch.path("run/vigil.sock"), until: deadline)
        return (channel, try Sent(channel.receive(until: deadline)))
    }

    /// A request that says everything that it has to, signed by the app's key.
    private func request(to challenge: Sent<Challenge>, handles: HandleMask = .usual) throws -> [UInt8] {
        let hash = try #require(manifest.bundleDigest(of: .app, architecture: RunningArchitecture.name))
        let publicKey = try #require(PublicKey(x963: key.publicKey))
        return try Request(
            to: challenge.message, nonce: .random(), hash: hash, at: Date(timeIntervalSince1970: 0),
            epoch: manifest.epoch, keyKind: key.kind, handles: handles,
            publicKey: publicKey, ephemeral: EphemeralKey().publicKey
        ).signed(by: key, answering: challenge).bytes
    }

    @Test("connections that say nothing keep nobody waiting, however many one user has")
    func silent() throws {
        let vigil = try VigilInstallation()
        // For long enough that none of them ends by itself while it is asked.
        try vigil.configure(
            "validator", ["grantFile": vigil.scratch.path("grant"), "timeoutMs": 60_000, "ttlMs": 300_000])
        _ = try vigil.startValidator()
        let silent = try (0..<8).map { _ in
            try UnixSocketChannel.connect(to: vigil.scratch.path("run/vigil.sock"), until: deadline)
        }
        defer { for channel in silent { channel.close() } }
        let report = try vigil.ask()
        #expect(report.result == "valid", "\(report)")
    }

    private func reason(of answer: Received) throws -> Reason? {
        if try answer.header().type == .failure { return try Sent<Failure>(answer).message.reason }
        let response = try Sent<Response>(answer).message
        #expect(!response.isValid && response.grant.isEmpty)
        return Reason(rawValue: response.reason)
    }

    /// What the validator says, and whether the connection ends with it.
    private func answer(over channel: UnixSocketChannel) throws -> Reason? {
        let answer = try reason(of: channel.receive(until: deadline))
        #expect(throws: ChannelError.closed) { try channel.receive(until: deadline) }
        return answer
    }

    @Test("another program that has the app's key gets nothing, with its own descriptors or without")
    func stolenKey() throws {
        let (channel, challenge) = try connect()
        try channel.send(
            request(to: challenge), attachments: MeasurementHandles.ofThisProcess().descriptors, until: deadline)
        #expect(try answer(over: channel) == .hashMismatch)
        let (other, second) = try connect()
        try other.send(request(to: second, handles: []), until: deadline)
        #expect(try answer(over: other) == .hashMismatch)
    }

    @Test("it gets nothing with the genuine file for a descriptor either")
    func foreignDescriptor() throws {
        let (channel, challenge) = try connect()
        let genuine = try OpenFile(opening: vigil.path(of: "vigil-demo"))
        let own = try MeasurementHandles.ofThisProcess([.maps, .pagemap]).descriptors
        try channel.send(request(to: challenge), attachments: [genuine] + own, until: deadline)
        #expect(try [.unmeasurable, .foreignCode, .peerIdentity].contains(answer(over: channel)))
    }

    @Test("it gets nothing with the descriptors of the genuine app, which runs beside it")
    func borrowedDescriptors() throws {
        let app = try vigil.startApp()
        let (channel, challenge) = try connect()
        let borrowed = try ["exe", "maps", "pagemap"].map { try OpenFile(opening: "/proc/\(app.pid)/\($0)") }
        try channel.send(request(to: challenge), attachments: borrowed, until: deadline)
        #expect(try answer(over: channel) == .unmeasurable)
    }

    @Test("a request that was recorded is worth nothing on another connection")
    func replayed() throws {
        let (first, challenge) = try connect()
        let recorded = try request(to: challenge, handles: [])
        first.close()
        let (second, _) = try connect()
        try second.send(recorded, until: deadline)
        #expect(try answer(over: second) == .nonceMismatch)
    }

    @Test("parts of two requests do not make one")
    func mixed() throws {
        let (first, challenge) = try connect()
        let old = try request(to: challenge, handles: [])
        first.close()
        let (second, fresh) = try connect()
        // The nonce of this challenge, and the rest of the other request.
        let new = try request(to: fresh, handles: [])
        try second.send(Array(new[..<40]) + old[40...], until: deadline)
        #expect(try answer(over: second) == .signatureInvalid)
    }

    @Test("the validator's own message sent back is no answer")
    func reflected() throws {
        let (channel, challenge) = try connect()
        try channel.send(challenge.bytes, until: deadline)
        #expect(try answer(over: channel) == .malformed)
    }

    @Test("a message that is cut off, too long or empty ends the connection, and the next one is served")
    func truncated() throws {
        let (cut, challenge) = try connect()
        try cut.send(Array(request(to: challenge, handles: []).dropLast()), until: deadline)
        #expect(try answer(over: cut) == .malformed)
        for frame: [UInt8] in [[0, 0, 0, 0], [0, 1, 0, 1], [0xff, 0xff, 0xff, 0xff], [0, 0, 1, 58, 0x56, 0x47]] {
            let (channel, _) = try connect()
            let sent = frame.withUnsafeBytes { write(channel.socket.number, $0.baseAddress, $0.count) }
            #expect(sent == frame.count)
            shutdown(channel.socket.number, Int32(SHUT_WR))
            #expect(try reason(of: channel.receive(until: deadline)) == .malformed)
        }
        #expect(try vigil.ask().result == "valid")
    }

    @Test("a socket that was handed to another process is of no use to it")
    func handedOn() throws {
        let (channel, challenge) = try connect()
        let frame = vigil.scratch.path("frame")
        try Data(Frame.bytes(of: request(to: challenge, handles: []))).write(to: URL(filePath: frame))
        let child = Process()
        child.executableURL = URL(filePath: "/bin/cat")
        child.arguments = [frame]
        child.standardOutput = FileHandle(fileDescriptor: channel.socket.number, closeOnDealloc: false)
        try child.run()
        child.waitUntilExit()
        #expect(try reason(of: channel.receive(until: deadline)) == .peerIdentity)
        #expect(validator.waits { $0.verdicts.last?.reason == "peerIdentity" })
    }

    @Test(
        "a program that answers and then runs the genuine one is not taken for it",
        .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/cc")), arguments: [true, false])
    func execution(sendsHandles: Bool) throws {
        let source = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "Fixtures/execute-after-answer.c")
        try Program.shell(
            "cc -o \(Program.quoted(vigil.scratch.path("thief"))) \(Program.quoted(source.path))"
        ).succeeded()
        let thief = Process()
        let (commands, answers) = (Pipe(), Pipe())
        thief.executableURL = URL(filePath: vigil.scratch.path("thief"))
        thief.arguments = [
            vigil.scratch.path("run/vigil.sock"), sendsHandles ? "3" : "0", vigil.path(of: "vigil-demo"), "--config",
            vigil.scratch.path("app.json"),
        ]
        thief.standardInput = commands
        thief.standardOutput = answers
        thief.standardError = FileHandle.nullDevice
        try thief.run()
        defer { thief.terminate() }
        func read(_ count: Int) throws -> [UInt8] {
            Array(try answers.fileHandleForReading.read(upToCount: count) ?? Data())
        }
        let length = try read(4)
        try #require(length.count == 4)
        let challenge = try Sent<Challenge>(Received(read(Int(length[2]) << 8 | Int(length[3]))))
        let message = try request(to: challenge, handles: sendsHandles ? .usual : [])
        try commands.fileHandleForWriting.write(contentsOf: Data(Frame.bytes(of: message)))
        #expect(validator.waits { $0.verdicts.last?.result == "invalid" }, "\(validator.errors)")
        let verdict = try #require(validator.verdicts.first { $0.result == "invalid" })
        #expect(["peerIdentity", "unmeasurable", "foreignCode", "hashMismatch"].contains(verdict.reason), "\(verdict)")
    }
}

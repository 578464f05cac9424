import Files
import Foundation
import Synchronization
import Testing
import Threads

@testable import ForceField
@testable import ForceFieldTestMethods
@testable import ForceFieldWire

extension RunningTests {
    @Suite("Capabilities")
    struct CapabilityTests {
        /// The name under which the worker asks for descriptors.
        private static let takesDescriptors = "takes-descriptors"

        private func field(
            _ capabilities: [Capability], services: HostServices = HostServices(),
            onSurface: (@Sendable (SurfaceFrame) -> Void)? = nil
        ) throws -> TestField {
            let takes = capabilities.contains {
                switch $0 {
                case .descriptors, .networkClient, .surface: true
                default: false
                }
            }
            let program = try TestField.program(takes ? Self.takesDescriptors : nil)
            return try TestField(program: program, services: services, onSurface: onSurface) {
                $0.capabilities = capabilities
            }
        }

        @Test("without one there is no file at all")
        func noFile() async throws {
            let test = try field([])
            for path in ["/dev/urandom", "/etc/passwd", "/proc/self/maps", "."] {
                #expect(try await test.act(.readFile, Array(path.utf8)) == [])
            }
            await test.field.terminate()
        }

        @Test("a granted file is there, and no other")
        func readOnlyFile() async throws {
            let test = try field([.readOnlyFile(host: "/etc/hostname", at: "/share/name"), .entropyDevice])
            let expected = Array(try Data(contentsOf: URL(filePath: "/etc/hostname")).prefix(64))
            #expect(try await test.act(.readFile, Array("/share/name".utf8)) == expected)
            #expect(try await test.act(.readFile, Array("/dev/urandom".utf8)).count == 64)
            #expect(try await test.act(.readFile, Array("/etc/hostname".utf8)) == [])
            await test.field.terminate()
        }

        @Test("a descriptor comes with a request")
        func descriptor() async throws {
            let test = try field([.descriptors(max: 1)])
            let file = try FileHandle(forReadingFrom: URL(filePath: "/etc/hostname"))
            let outgoing = try OutgoingDescriptor(file.fileDescriptor)
            let expected = Array(try Data(contentsOf: URL(filePath: "/etc/hostname")).prefix(64))
            #expect(
                try await test.act(.readDescriptor, options: CallOptions { $0.descriptors = [outgoing] }) == expected)
            await #expect(throws: ForceFieldError.unusableDescriptor(.tooMany(count: 2, granted: 1))) {
                try await test.act(.readDescriptor, options: CallOptions { $0.descriptors = [outgoing, outgoing] })
            }
            await test.field.terminate()
        }

        @Test("a descriptor that came from the worker ends it")
        func descriptorFromWorker() async throws {
            let test = try field([.descriptors(max: 1)])
            await #expect(throws: ForceFieldError.self) { try await test.act(.descriptorsRide) }
            // The filter lets sendmsg pass to nobody but the hand-off.
            guard case .policyViolation(let call?) = try await test.ends.next().termination else {
                Issue.record("it could send a descriptor")
                return
            }
            #expect(call.name == "sendmsg")
            await test.field.terminate()
        }

        @Test("folders, pipes, sockets and what can be written are not passed")
        func refusals() throws {
            let folder = open("/tmp", O_RDONLY)
            defer { close(folder) }
            #expect(throws: DescriptorRefusal.directory(folder)) { try OutgoingDescriptor(folder) }
            let null = open("/dev/null", O_RDONLY)
            defer { close(null) }
            #expect(throws: DescriptorRefusal.notAFile(null)) { try OutgoingDescriptor(null) }
            #expect(throws: DescriptorRefusal.notOpen(-1)) { try OutgoingDescriptor(-1) }
            let path = FileManager.default.temporaryDirectory.appending(path: "forcefield-writable-\(getpid())").path
            let file = open(path, O_RDWR | O_CREAT, 0o600)
            defer { close(file) }
            unlink(path)
            #expect(throws: DescriptorRefusal.writable(file)) { try OutgoingDescriptor(file) }
            _ = try OutgoingDescriptor(file, writable: true)
        }

        @Test("a granted host call is answered, an unserved or failing one refused")
        func hostCalls() async throws {
            struct Unwilling: Error {}
            var services = HostServices()
            services.handle(Method<[UInt8], [UInt8]>("host.reverse")) { Array($0.reversed()) }
            services.handle(Method<[UInt8], [UInt8]>("host.fails")) { _ in throw Unwilling() }
            let names = ["host.reverse", "host.fails", "host.missing"]
            let test = try field([.hostCalls(names)], services: services)
            #expect(try await test.act(.hostCall, Array("host.reverse\nabc".utf8)) == Array("cba".utf8))
            #expect(try await test.act(.hostCall, Array("host.fails\n".utf8)) == Array("error 3: Unwilling()".utf8))
            #expect(
                try await test.act(.hostCall, Array("host.missing\n".utf8))
                    == Array("error 1: the host does not serve it".utf8))
            await test.field.terminate()
        }

        @Test(
            "an answer passes a descriptor where descriptors are granted, and a surface is no such grant",
            arguments: [
                (Capability.descriptors(max: 1), "given"),
                (.surface(width: 4, height: 4), "error 3: the policy grants fewer descriptors"),
            ])
        func answerWithDescriptor(granted: Capability, answer: String) async throws {
            let file = try FileHandle(forReadingFrom: URL(filePath: "/etc/hostname"))
            let outgoing = try OutgoingDescriptor(file.fileDescriptor)
            var services = HostServices()
            services.handleWithDescriptors(Method<[UInt8], [UInt8]>("host.file")) { _ in
                (Array("given".utf8), [outgoing])
            }
            let test = try field([granted, .hostCalls(["host.file"])], services: services) { _ in }
            #expect(try await test.act(.hostCall, Array("host.file\n".utf8)) == Array(answer.utf8))
            await test.field.terminate()
        }

        @Test("a ninth open host call ends the worker")
        func manyHostCalls() async throws {
            var services = HostServices()
            services.handle(Method<[UInt8], [UInt8]>("host.slow")) { _ in
                try await Task.sleep(for: TestField.patience)
                return []
            }
            let test = try field([.hostCalls(["host.slow"])], services: services)
            await #expect(throws: ForceFieldError.terminated(.protocolViolation(.tooManyHostCalls))) {
                try await test.act(.manyHostCalls)
            }
            await test.field.terminate()
        }

        @Test("the host connects to listed places and to no other")
        func network() async throws {
            let server = try LocalServer(says: "welcome")
            let test = try field([
                .networkClient([
                    .init(host: "127.0.0.1", port: server.port), .init(host: "localhost", port: server.port),
                ])
            ])
            let listed = Array("127.0.0.1 \(server.port)".utf8)
            #expect(try await test.act(.connect, listed) == Array("welcome".utf8))
            #expect(
                try await test.act(.connect, Array("localhost \(server.port)".utf8))
                    == Array("error 2: the name leads into a private network".utf8))
            #expect(
                try await test.act(.connect, Array("127.0.0.2 \(server.port)".utf8))
                    == Array("error 2: the place is not listed".utf8))
            await test.field.terminate()
        }

        static let addresses: [(String, Bool)] = [
            ("127.0.0.1", false), ("10.1.2.3", false), ("172.16.0.1", false), ("172.32.0.1", true),
            ("192.168.1.1", false), ("169.254.169.254", false), ("100.64.0.1", false), ("0.0.0.0", false),
            ("224.0.0.1", false), ("255.255.255.255", false), ("8.8.8.8", true), ("192.0.2.1", false),
            ("::1", false), ("::", false), ("fe80::1", false), ("fc00::1", false), ("ff02::1", false),
            ("::ffff:127.0.0.1", false), ("::ffff:8.8.8.8", true), ("64:ff9b::7f00:1", false),
            ("64:ff9b:1::808:808", false), ("64:ff9b::808:808", true), ("64:ff9b:0:1::808:808", false),
            ("2002:7f00:1::", false),
            ("2606:4700::1111", true), ("2001:0:7f00:1::", false), ("2001:1ff::1", false), ("2001:200::1", true),
            ("2001:db8::1", false), ("3fff::1", false), ("3fff:1000::1", true),
        ]

        @Test("addresses that are nobody else's are private", arguments: addresses)
        func addressKind(text: String, isPublic: Bool) throws {
            let address = try #require(SocketAddress.resolve(text, port: 80).first)
            #expect(address.isPublic == isPublic)
            #expect(SocketAddress.isNumeric(text))
        }

        @Test("what is looked up is the name of the list, not what reads like it")
        func listed() {
            let broker = NetworkBroker(endpoints: [.init(host: "Kiosk.example", port: 443)])
            #expect(broker.listed(ConnectRequest(host: "kiosk.EXAMPLE", port: 443))?.host == "Kiosk.example")
            // The sign for kelvin, whose small letter is k.
            #expect(broker.listed(ConnectRequest(host: "\u{212a}iosk.example", port: 443)) == nil)
            #expect(broker.listed(ConnectRequest(host: "kiosk.example", port: 80)) == nil)
            #expect(broker.listed(ConnectRequest(host: "kiosk.example\0", port: 443)) == nil)
        }

        @Test("frames are shown one at a time")
        func oneFrame() async throws {
            let layout = try #require(SurfaceLayout(width: 4, height: 4))
            let inside = Mutex(0)
            let broker = try #require(
                SurfaceBroker(layout) { _ in
                    let count = inside.withLock { count in
                        count += 1
                        return count
                    }
                    #expect(count == 1)
                    for _ in 0..<1_000 { sched_yield() }
                    inside.withLock { $0 -= 1 }
                })
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<8 { group.addTask { try await broker.show(1) } }
                try await group.waitForAll()
            }
        }

        @Test("a drawn frame is copied, whole")
        func surface() async throws {
            let frames = Mutex<[SurfaceFrame]>([])
            let test = try field([.surface(width: 16, height: 8)]) { frame in frames.withLock { $0.append(frame) } }
            #expect(!(try await test.act(.draw)).isEmpty)
            let frame = try #require(frames.withLock { $0.first })
            #expect(frame.pixels == [UInt8](repeating: 0x7f, count: 16 * 8 * 4))
            await test.field.terminate()
        }
    }
}

/// Says one word to everybody who connects.
private final class LocalServer: Sendable {
    let port: UInt16
    private let listener: OpenFile

    init(says word: String) throws {
        let listener = try #require(OpenFile(taking: socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0), "listener"))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        port = try withUnsafeMutablePointer(to: &address) { pointer in
            try pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { name in
                try #require(bind(listener.number, name, size) == 0 && listen(listener.number, 8) == 0)
                try #require(getsockname(listener.number, name, &size) == 0)
            }
            return UInt16(bigEndian: pointer.pointee.sin_port)
        }
        self.listener = listener
        SystemThread.start {
            while let client = OpenFile(taking: accept(listener.number, nil, nil), "client") {
                let bytes = Array(word.utf8)
                guard write(client.number, bytes, bytes.count) == bytes.count else { return }
            }
        }
    }
}

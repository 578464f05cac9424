#if os(Linux)
    import CLinux
    import ExecutableImage
    import Files
    import Foundation
    import TestSupport
    import Testing

    @testable import CodeMeasurement

    @Suite("A live peer", .enabled(if: hasCompiler))
    struct LivePeerTests {
        @Test("the peer of a socket and the sender of a message are the program that connected")
        func identity() throws {
            let connection = try Connection()
            let (credentials, process) = try connection.peer()
            #expect(credentials.process == connection.child.process)
            #expect(credentials.user == geteuid())
            #expect(process.process == connection.child.process)
            connection.child.tell("byte")
            let message = try connection.receive()
            #expect(message.count == 1)
            #expect(message.sender == credentials)
            #expect(message.descriptors.isEmpty)
            #expect(process.isStrong == (message.senderProcess != nil))
        }

        @Test(
            "a program that hid itself is measured by its handles alone, and that is told",
            arguments: [false, true])
        func hidden(opensOwn: Bool) throws {
            let connection = try Connection(user: geteuid() == 0 ? 65534 : nil)
            var (measurement, program) = try connection.measurement(opensOwn: opensOwn)
            connection.child.tell("hide")
            let outcome = measurement.look(at: program)
            #expect(outcome.reason == .ok, "\(String(describing: outcome.finding))")
            // Root may read what the program hides.
            let isFirsthand = opensOwn && geteuid() == 0
            #expect(outcome.levels == [.mapShape, .codePages, .behaviour, isFirsthand ? .firsthand : []])
            #expect(outcome.flags.contains(.secondhand) == !isFirsthand)
            #expect(outcome.flags.contains(.environmentUnreadable) == (geteuid() != 0))
        }

        @Test("a program that holds keys has to hide, whatever it was made to believe", .enabled(if: geteuid() == 0))
        func keyHolder() throws {
            func rule(_ lines: String...) throws -> String? {
                let connection = try Connection(user: 65534)
                var (measurement, program) = try connection.measurement()
                measurement.policy.holdsKeys = true
                for line in lines { connection.child.tell(line) }
                let outcome = measurement.look(at: program)
                #expect(outcome.reason == (outcome.finding == nil ? .ok : .behaviour))
                return outcome.finding?.ruleID
            }
            #expect(try rule("nocore", "hide") == nil)
            #expect(try rule("nocore") == "process.dumpable")
            #expect(try rule("nocore", "pretend", "hide") == "process.dumpable")
            #expect(try rule("nocore", "hide", "pretend") == "status.Seccomp")
        }

        @Test("a program that runs another one after it connected is not the peer any more")
        func exec() throws {
            let connection = try Connection()
            var (measurement, program) = try connection.measurement()
            #expect(measurement.look(at: program).reason == .ok)
            let maps = try #require(measurement.handles.maps)
            connection.child.tell("exec")
            let link = "/proc/\(connection.child.process)/exe"
            #expect(Child.wait { SymbolicLink.destination(of: link) != connection.program })
            #expect(measurement.look(at: program).reason == .peerIdentity)
            // The handles alone tell it as well.
            var map = MemoryMap()
            let refusal = #expect(throws: MeasurementRefusal.self) { try map.reload(from: maps) }
            #expect(refusal?.reason == .peerIdentity)
        }

        @Test("a byte that a child sends over the inherited socket has another sender")
        func inherited() throws {
            let connection = try Connection()
            let (credentials, _) = try connection.peer()
            var sender = ConstantSender(expected: credentials)
            connection.child.tell("byte")
            try sender.check(try connection.receive().sender)
            connection.child.tell("child")
            let refusal = #expect(throws: MeasurementRefusal.self) { try sender.check(try connection.receive().sender) }
            #expect(refusal?.reason == .peerIdentity)
        }

        @Test("a flood of descriptors is told, and none of them stays open")
        func flood() throws {
            let connection = try Connection()
            // It sends its standard input, a pipe of its own, again and again.
            let files = FileManager.default
            let pipe = try files.destinationOfSymbolicLink(atPath: "/proc/\(connection.child.process)/fd/0")
            func count() throws -> Int {
                try files.contentsOfDirectory(atPath: "/proc/self/fd").count {
                    (try? files.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)")) == pipe
                }
            }
            let before = try count()
            connection.child.tell("flood")
            do {
                let message = try connection.receive()
                #expect(message.isTruncated)
                #expect(message.descriptors.count <= UnixSocket.descriptorLimit)
            }
            #expect(try count() == before)
        }

        @Test("a peer that has ended is dropped, whatever the kernel says about it")
        func ended() throws {
            let connection = try Connection()
            let credentials = try UnixSocket.peerCredentials(of: connection.socket.number)
            kill(connection.child.process, SIGKILL)
            let socket = connection.socket.number
            #expect(
                Child.wait {
                    do throws(MeasurementRefusal) {
                        _ = try ObservedProcess(connectedTo: socket, credentials)
                        return false
                    } catch {
                        return error.reason == .peerIdentity
                    }
                })
        }

        @Test("handles of another program than the peer runs are unmeasurable")
        func otherExecutable() throws {
            let connection = try Connection()
            let (credentials, process) = try connection.peer()
            let shell = try OpenFile(opening: "/bin/sh")
            let handles = try MeasurementHandles(receiving: [shell], mask: .executable, from: credentials.process)
            let refusal = #expect(throws: MeasurementRefusal.self) {
                try ProcessMeasurement(of: process, handles: handles)
            }
            #expect(refusal?.reason == .unmeasurable)
        }

        @Test("a peer of another user is known as such", .enabled(if: geteuid() == 0))
        func otherUser() throws {
            let connection = try Connection(user: 65534)
            let (credentials, _) = try connection.peer()
            #expect(credentials.user == 65534)
            let policy = PeerPolicy(allowedUsers: [0])
            let refusal = #expect(throws: MeasurementRefusal.self) {
                try policy.check(credentials, ownProcess: getpid())
            }
            #expect(refusal?.reason == .peerIdentity)
        }

        @Test(
            "a handle from another mount of procfs is unmeasurable, though its path is right",
            .enabled(if: geteuid() == 0))
        func nestedNamespace() throws {
            let child = try Child(
                "/usr/bin/unshare", ["--pid", "--fork", "--mount-proc", "/bin/sh", "-c", "echo ready; read line"])
            try #require(child.firstLine == "ready")
            let children = "/proc/\(child.process)/task/\(child.process)/children"
            let inner = try #require(
                try String(contentsOfFile: children, encoding: .utf8).split(separator: " ").first.flatMap { Int32($0) })
            defer { kill(inner, SIGKILL) }
            let maps = try OpenFile(opening: "/proc/\(inner)/root/proc/1/maps")
            #expect(HandleCheck.path(of: maps)?.hasSuffix("/proc/1/maps") == true)
            let refusal = #expect(throws: MeasurementRefusal.self) {
                try MeasurementHandles(receiving: [maps], mask: .maps, from: 1)
            }
            #expect(refusal?.finding.text.contains("another procfs") == true)
        }
    }
#endif

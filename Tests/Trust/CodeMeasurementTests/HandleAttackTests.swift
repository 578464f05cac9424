#if os(Linux)
    import Files
    import Foundation
    import TestSupport
    import Testing

    @testable import CodeMeasurement

    /// A program that sends handles of something else than it runs.
    @Suite("Attacks by handles", .enabled(if: hasCompiler))
    struct HandleAttackTests {
        @Test("page tables that were opened before the program ran show that they are of memory that is gone")
        func stalePageTables() throws {
            let connection = try Connection(isStale: true)
            let process = connection.child.process
            let map = try MemoryMap(KernelFile.bytes("/proc/\(process)/maps"))
            let code = try #require(map.mappings.first { $0.protection.isExecutable })
            try poke(process, at: code.start + 8, restored: true)
            // The search alone finds nothing amiss.
            let pagemap = try #require(try connection.handles().pagemap)
            for searches in [true, false] {
                var pageTable = PageTable(pagemap, searches: searches)
                let copies = try? pageTable.privateCopies(in: code.addresses)
                #expect(copies?.isEmpty != false)
                let refusal = #expect(throws: MeasurementRefusal.self) { try pageTable.check(map) }
                #expect(refusal?.reason == .peerIdentity)
            }
            var (measurement, program) = try connection.measurement(opensOwn: false)
            #expect(measurement.look(at: program).reason == .peerIdentity)
        }

        @Test("page tables of other memory than the map are told by the end of the stack")
        func otherPageTables() throws {
            let (one, other) = (try Connection(), try Connection())
            let map = try MemoryMap(KernelFile.bytes("/proc/\(one.child.process)/maps"))
            try PageTable(try OpenFile(opening: "/proc/\(one.child.process)/pagemap")).check(map)
            let refusal = #expect(throws: MeasurementRefusal.self) {
                try PageTable(try OpenFile(opening: "/proc/\(other.child.process)/pagemap")).check(map)
            }
            #expect(refusal?.reason == .peerIdentity)
        }

        @Test("no line of a map is lost while the program itself reads by its handle and moves the lines")
        func sharedReading() throws {
            let connection = try Connection()
            let maps = try #require(try connection.handles().maps)
            connection.child.tell("churn")
            // The page that comes and goes, the new thread's memory, and the heap aside.
            func lines(_ text: [UInt8]) throws -> [String] {
                String(decoding: text, as: UTF8.self).split(separator: "\n").map(String.init)
                    .filter { !$0.hasPrefix("10000000-") }
            }
            let steady = try lines(try KernelFile.bytes("/proc/\(connection.child.process)/maps"))
            var text: [UInt8] = []
            for _ in 0..<2000 {
                do throws(Errno) {
                    try maps.readAllShared(into: &text, limit: 1 << 20)
                } catch {
                    #expect(error.rawValue == EAGAIN)
                    continue
                }
                #expect(try lines(text) == steady)
            }
        }

        @Test("a long map is read whole by a handle, and one that is too long is refused")
        func sharedReadingOfLongMap() throws {
            let connection = try Connection()
            let maps = try #require(try connection.handles().maps)
            connection.child.tell("grow")
            var (shared, own): ([UInt8], [UInt8]) = ([], [])
            try maps.readAllShared(into: &shared, limit: 1 << 20)
            try maps.readAll(into: &own, limit: 1 << 20)
            #expect(shared == own && !own.isEmpty)
            let refusal = #expect(throws: Errno.self) { try maps.readAllShared(into: &shared, limit: 100) }
            #expect(refusal?.rawValue == EFBIG)
        }

        /// Another program, which acts as the one that was measured: it has its connection and the handles of its
        /// memory, which a stopped child keeps.
        private func becomeAnother(_ connection: Connection) throws {
            let other = connection.folder.path("another")
            try compile("peer.c", to: other, "-pthread")
            connection.child.tell("become \(other)")
            let process = connection.child.process
            #expect(Child.wait { SymbolicLink.destination(of: "/proc/\(process)/exe") == other })
            connection.child.tell("hide")
        }

        @Test("memory that a child keeps is not taken for that of the program", .enabled(if: geteuid() == 0))
        func keptMemory() throws {
            let connection = try Connection(user: 65534)
            var (measurement, program) = try connection.measurement()
            #expect(measurement.look(at: program).reason == .ok)
            try becomeAnother(connection)
            // The memory is still there, by the handles of before.
            let handles = try connection.handles()
            var map = MemoryMap()
            try map.reload(from: try #require(handles.maps))
            #expect(!map.mappings.isEmpty)
            #expect(measurement.look(at: program).reason == .peerIdentity)
            // Who meets it only now.
            let (_, process) = try connection.peer()
            let refusal = #expect(throws: MeasurementRefusal.self) {
                try ProcessMeasurement(of: process, handles: handles)
            }
            #expect(refusal?.reason == .unmeasurable)
            // Without the handle for the program's file it is measured by its own memory.
            var without = MeasurementHandles()
            without = without.completed(
                by: try MeasurementHandles(
                    receiving: Array(handles.descriptors.dropFirst()), mask: [.maps, .pagemap], from: process.process))
            var late = try ProcessMeasurement(of: process, handles: without)
            #expect(late.look(at: program).reason == .foreignCode)
        }

        @Test("who may not look into a program learns that it took its word, and refuses memory of another size")
        func keptMemorySecondhand() throws {
            let connection = try Connection()
            _ = try connection.measurement(opensOwn: false)
            try becomeAnother(connection)
            var (measurement, program) = try connection.measurement(opensOwn: false)
            // The other program happens to be as large, and nothing else tells the two apart.
            let outcome = measurement.look(at: program)
            #expect(outcome.flags.contains(.secondhand) && !outcome.levels.contains(.firsthand))
            connection.child.tell("grow")
            #expect(measurement.look(at: program).reason == .peerIdentity)
        }
    }
#endif

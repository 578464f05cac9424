import Files
import TestSupport
import Testing

@testable import CodeMeasurement

@Suite("Texts of /proc")
struct ProcessTextTests {
    @Test("the start time is counted behind the last bracket, whatever the name is")
    func stat() throws {
        for name in ["app", "a b", "x) S 1 2 3 (", "))))", "\n", ""] {
            let text = "4711 (\(name)) S 1 4711 4711 0 -1 4194560 282 0 0 0 0 0 0 0 20 0 1 0 375912 2551808 332 18\n"
            let stat = try #require(ProcessStat(Array(text.utf8)))
            #expect(stat.process == 4711)
            #expect(stat.startTime == 375912)
        }
    }

    @Test(
        "a text that is no stat is refused",
        arguments: [
            "", "1", "1 (a", "(a) S 1", "1 (a) S 1 2 3", "99999999999 (a)",
            "1 (a)" + String(repeating: " x", count: 40),
        ])
    func malformedStat(text: String) {
        #expect(ProcessStat(Array(text.utf8)) == nil)
    }

    @Test("the fields of status are read, of a double one the first")
    func status() {
        let text = """
            Name:\tTracerPid:\\n7
            TracerPid:\t12
            Uid:\t1000\t1001\t1002\t1003
            Gid:\t2000\t2001\t2002\t2003
            TracerPid:\t0
            CapPrm:\t000001ffffffffff
            CapEff:\t00000000a80425fb
            NoNewPrivs:\t1
            Seccomp:\t2
            Seccomp_filters:\t3
            Threads:\t4
            CoreDumping:\t0

            """
        let status = ProcessStatus(Array(text.utf8))
        #expect(status.tracer == 12)
        #expect(status.effectiveUser == 1001)
        #expect(status.realGroup == 2000)
        #expect(status.savedGroup == 2002)
        #expect(status.permittedCapabilities == 0x1ff_ffff_ffff)
        #expect(status.effectiveCapabilities == 0xa804_25fb)
        #expect(status.noNewPrivileges == 1)
        #expect(status.seccomp == 2)
        #expect(status.seccompFilters == 3)
        #expect(status.threads == 4)
        #expect(status.coreDumping == 0)
        #expect(ProcessStatus([]).tracer == nil)
        #expect(ProcessStatus(Array("Gid:\t1\t2\n".utf8)).savedGroup == nil)
        #expect(ProcessStatus(Array("TracerPid:\t99999999999999999999\n".utf8)).tracer == nil)
    }

    #if os(Linux)
        @Test("a thread that cannot be read may be traced, one that has ended is not")
        func tracers() {
            func tracer(_ threads: Result<[UInt8], Errno>...) -> UInt64? {
                ProcessObservation.tracer(ofThreads: threads.indices.map { "\($0)" }) { threads[Int($0) ?? 0] }
            }
            func status(_ tracer: Int) -> Result<[UInt8], Errno> {
                .success(Array("Name:\tapp\nTracerPid:\t\(tracer)\nUid:\t0\n".utf8))
            }
            #expect(tracer() == 0)
            #expect(tracer(status(0), .failure(.noSuchProcess), status(0)) == 0)
            #expect(tracer(.failure(.noSuchFileOrDirectory), status(7)) == 7)
            #expect(tracer(status(0), .failure(.tooManyOpenFiles), status(0)) == nil)
            #expect(tracer(status(0), .failure(.permissionDenied)) == nil)
            #expect(tracer(status(0), .success(Array("Name:\tapp\n".utf8))) == nil)
        }

        @Test("a descriptor that cannot be read may be a socket, one that is gone is none")
        func destinations() throws {
            func destinations(_ links: Result<String, Errno>...) -> Result<[String], Errno> {
                ProcessObservation.each(links.indices.map { "\($0)" }) { links[Int($0) ?? 0] }
            }
            let socket = "socket:[7]"
            #expect(
                try destinations(.success(socket), .failure(.noSuchFileOrDirectory), .failure(.fileNameTooLong)).get()
                    == [socket])
            #expect(throws: Errno.permissionDenied) {
                try destinations(.success(socket), .failure(.permissionDenied)).get()
            }
        }
    #endif

    @Test("the limit of core dumps is read")
    func limits() {
        func limit(_ value: String) -> UInt64? {
            ProcessLimits(
                Array(
                    "Limit   Soft Limit\nMax core file size        \(value)   unlimited   bytes\nMax open files 1\n"
                        .utf8)
            ).softCoreSize
        }
        #expect(limit("0") == 0)
        #expect(limit("4096") == 4096)
        #expect(limit("unlimited") == .max)
        #expect(limit("many") == nil)
        #expect(ProcessLimits([]).softCoreSize == nil)
    }

    @Test("a variable is found by its whole name, as often as it is there")
    func environment() {
        let block = EnvironmentBlock(
            bytes: Array("XLD_PRELOAD=1\0LD_PRELOADS=2\0LD_PRELOAD\0LD_PRELOAD=\0LD_PRELOAD=3\0".utf8))
        #expect(block.values(of: "LD_PRELOAD") == ["", "3"])
        #expect(block.values(of: "LD_AUDIT").isEmpty)
        #expect(EnvironmentBlock(bytes: Array("A=b".utf8)).values(of: "A") == ["b"])
        #expect(block.reading(of: "LD_PRELOAD") == .unreadable && block.reading(of: "LD_AUDIT") == .absent)
        #expect(block.reading(of: "LD_PRELOADS") == .value(.text("2")))
    }

    @Test("sockets of the network are known by their inodes")
    func sockets() {
        var table = SocketTable()
        table.add(
            Array(
                """
                  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
                   0: 0100007F:1F90 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 48213 1 0 100 0 0 10 0
                   1: short
                """.utf8))
        #expect(table.inodes == [48213])
        let names = ["tcp", "tcp6", "udp", "udp6", "udplite", "udplite6", "raw", "raw6", "icmp", "icmp6"]
        #expect(Set(SocketTable.names) == Set(names))
        #expect(SocketTable.inode(of: "socket:[48213]") == 48213)
        #expect(SocketTable.inode(of: "pipe:[48213]") == nil)
        #expect(SocketTable.inode(of: "socket:[x]") == nil)
    }

    @Test("devices are split as the map of the memory shows them")
    func devices() {
        #expect(DeviceNumber(encoded: 0xfe00).description == "fe:00")
        #expect(DeviceNumber(encoded: 0x0010_0012).description == "00:112")
        #expect(DeviceNumber(encoded: 0x0000_1000_0000_0801) == DeviceNumber(major: 0x1008, minor: 1))
    }

    @Test("random texts never trap")
    func random() {
        var random = SplitMix64(state: 3)
        let alphabet = Array("0123456789abcdefxp:() \t\n-UidTracerPidCapEff\0\\socket[]".utf8)
        for _ in 0..<20_000 {
            let text = (0..<Int(random.next() % 120)).map { _ in alphabet[Int(random.next() % UInt64(alphabet.count))] }
            _ = ProcessStat(text)
            _ = ProcessStatus(text)
            _ = ProcessLimits(text)
            _ = EnvironmentBlock(bytes: text).values(of: "Uid")
            var table = SocketTable()
            table.add(text)
        }
    }
}

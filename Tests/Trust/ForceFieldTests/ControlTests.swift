import ForceFieldWire
import TestSupport
import Testing

@_spi(Fuzzing) @testable import ForceField

@Suite("Control protocol")
struct ControlTests {
    private static let reports: [WardenReport] = [
        .stageFailed(.userNamespace, errno: 1),
        .started(.init(layers: LayerSet(Layer.allCases), landlockABI: 7, workerPID: 2, setupNanoseconds: 1 << 40)),
        .violation(
            SystemCallRecord(
                number: 101, architecture: 0xc000_003e, instruction: 0x40_1000, arguments: [16, 1, 2, .max], thread: 2)),
        .exited(
            WorkerExit(
                status: .signalled(9), userMicroseconds: 1, systemMicroseconds: 2, maxRSSKiB: 3, wallMicroseconds: 4)),
        .exited(WorkerExit(status: .exited(255))), .limit(.background), .limit(.lifetime), .warden(pid: 4_711),
        .limit(.processorTime),
    ]
    private static let orders: [WardenOrder] = [
        .go, .kill(reason: 2), .background(grace: .seconds(5)), .foreground,
    ]

    @Test("records have 64 bytes, each field at its place")
    func layout() {
        let record = Self.reports[2].bytes
        #expect(record.count == 64)
        #expect(Array(record[..<8]) == Array("FFC1".utf8) + [3, 0, 0, 0])
        #expect(Array(record[8..<16]) == [101, 0, 0, 0, 0x3e, 0, 0, 0xc0])
        #expect(record[24] == 16 && record[32] == 1 && record[56] == 2)
        let exit = Self.reports[3].bytes
        #expect(exit[8] == 9 && exit[16] == 1 && exit[24] == 2 && exit[32] == 3 && exit[40] == 4)
        #expect(WardenOrder.background(grace: .seconds(5)).bytes[8...9] == [0x88, 0x13])
    }

    @Test("a record is read as it was written")
    func roundTrip() {
        for report in Self.reports { #expect(WardenReport(report.bytes) == report) }
        for order in Self.orders { #expect(WardenOrder(order.bytes) == order) }
    }

    @Test("records of the other direction, other lengths, and with something where zeros belong are refused")
    func refusals() {
        for report in Self.reports {
            #expect(WardenOrder(report.bytes) == nil)
            #expect(WardenReport(Array(report.bytes.dropLast())) == nil)
            #expect(WardenReport(report.bytes + [0]) == nil)
            for offset in [0, 5, 6, 63] {
                var changed = report.bytes
                changed[offset] ^= 0x80
                #expect(WardenReport(changed) == nil)
            }
        }
        for order in Self.orders { #expect(WardenReport(order.bytes) == nil) }
        #expect(WardenReport([]) == nil)
        var stopped = WardenReport.exited(WorkerExit(status: .exited(0))).bytes
        stopped[8] = 0x7f
        #expect(WardenReport(stopped) == nil)
        #expect(WardenReport(WardenReport.warden(pid: -1).bytes) == nil)
    }

    @Test("WARDEN comes first, then STARTED, and nothing behind EXITED")
    func order() throws {
        let (failed, started, violation, exited, limit, warden) = (
            Self.reports[0], Self.reports[1], Self.reports[2], Self.reports[3], Self.reports[5], Self.reports[7]
        )
        func fault(_ reports: WardenReport...) -> ControlFault? {
            var control = ControlConversation()
            do throws(ControlFault) {
                for report in reports { _ = try control.receive(report.bytes) }
            } catch { return error }
            return nil
        }
        #expect(fault(warden, started, violation, exited) == nil)
        #expect(fault(warden, started, limit, exited) == nil)
        #expect(fault(failed) == nil && fault(warden, failed) == nil && fault(warden, exited) == nil)
        #expect(fault(started) == .outOfOrder && fault(exited) == .outOfOrder)
        #expect(fault(warden, warden) == .outOfOrder && fault(warden, started, started) == .outOfOrder)
        #expect(fault(warden, started, exited, exited) == .outOfOrder)
        #expect(fault(warden, started, failed) == .outOfOrder)
        var control = ControlConversation()
        #expect(throws: ControlFault.malformed(bytes: 3)) { try control.receive([1, 2, 3]) }
    }

    @Test("changed records never trap")
    func changed() {
        var random = SplitMix64(state: 7)
        for _ in 0..<20_000 {
            let record = Int.random(in: 0..<12, using: &random)
            var bytes = record < 8 ? Self.reports[record].bytes : Self.orders[record - 8].bytes
            for _ in 0..<3 { bytes[Int.random(in: 0..<64, using: &random)] = random.byte() }
            #expect(OutsideControlBytes.controlRecord(bytes))
        }
    }
}

import Testing

@testable import BigEndian

@Suite("Fields in network byte order")
struct BigEndianTests {
    /// The header of a datagram of IPv4 (RFC 791): 115 bytes of UDP from 192.168.0.1 to 192.168.0.199.
    private let header: [UInt8] = [
        0x45, 0x00, 0x00, 0x73, 0x00, 0x00, 0x40, 0x00, 0x40, 0x11, 0xb8, 0x61, 0xc0, 0xa8, 0x00, 0x01, 0xc0, 0xa8,
        0x00, 0xc7,
    ]

    @Test("fields are read front to back, from arrays, slices and memory that is lent")
    func reading() throws {
        var array = BigEndianReader(header)
        #expect(try array.integer(UInt8.self) == 0x45)
        #expect(try array.integer(UInt8.self) == 0)
        #expect(try array.integer(UInt16.self) == 115)
        #expect(try array.integer(UInt32.self) == 0x4000)
        #expect(array.offset == 8 && array.left == 12 && array.before.elementsEqual(header[..<8]))
        #expect(try array.integer(UInt64.self) == 0x4011_b861_c0a8_0001)
        #expect(array.rest == [192, 168, 0, 199])
        #expect(try array.take(4) == [192, 168, 0, 199])
        try array.end()

        var slice = BigEndianReader(header[10...])
        #expect(try slice.integer(UInt16.self) == 0xb861)
        #expect(slice.offset == 2 && slice.left == 8)
        try header.withUnsafeBytes { bytes throws in
            var lent = BigEndianReader(bytes)
            let first = try lent.take(2)
            #expect(first.elementsEqual([0x45, 0]))
            #expect(try lent.integer(Int16.self) == 115)
        }
    }

    @Test("what is missing, or too much, is an error that says where, and nothing is read")
    func refusals() {
        var reader = BigEndianReader(header[..<6])
        #expect(throws: Never.self) { try reader.take(3) }
        #expect(throws: BigEndianError(offset: 3, expected: 4, left: 3)) { try reader.integer(UInt32.self) }
        #expect(throws: BigEndianError(offset: 3, expected: .max, left: 3)) { try reader.take(.max) }
        #expect(throws: BigEndianError(offset: 3, expected: -1, left: 3)) { try reader.take(-1) }
        #expect(throws: BigEndianError(offset: 3, expected: 0, left: 3)) { try reader.end() }
        #expect(reader.offset == 3)
        #expect("\(BigEndianError(offset: 3, expected: 4, left: 3))" == "at byte 3: 4 bytes expected, 3 left")
        #expect("\(BigEndianError(offset: 3, expected: 0, left: 3))" == "at byte 3: 3 bytes too many")
    }

    @Test("integers of every size come back, negative ones too")
    func roundTrip() throws {
        var bytes: [UInt8] = []
        bytes.append(bigEndian: UInt8(0x80))
        bytes.append(bigEndian: Int8(-2))
        bytes.append(bigEndian: Int16(-3))
        bytes.append(bigEndian: UInt32(0x0102_0304))
        bytes.append(bigEndian: Int64.min)
        #expect(bytes == [0x80, 0xfe, 0xff, 0xfd, 1, 2, 3, 4, 0x80, 0, 0, 0, 0, 0, 0, 0])
        var reader = BigEndianReader(bytes)
        #expect(try reader.integer() == UInt8(0x80))
        #expect(try reader.integer() == Int8(-2))
        #expect(try reader.integer() == Int16(-3))
        #expect(try reader.integer() == UInt32(0x0102_0304))
        #expect(try reader.integer() == Int64.min)
        #expect([UInt8](bigEndian: UInt32(1)) == [0, 0, 0, 1])
    }
}

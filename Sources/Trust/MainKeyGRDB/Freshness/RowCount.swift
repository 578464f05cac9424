import BigEndian
import MainKey

/// What the values of the counted columns amount to.
///
///     number u64 | epoch u32 | columns u16 | for each, in the order of their declaration: count u64 | sum 32
///     | schema 32
///
/// A count that was written before schemas were compared ends in front of `schema`.
///
/// Source: `mainkey` section 25.
struct RowCount: Equatable {
    /// How often it was written, from 1.
    var number: UInt64
    /// The epoch under whose keys the codes of values are made.
    var epoch: UInt32
    /// What each column amounts to.
    var tallies: [Tally]
    /// ``SchemaDigest`` of the database that it was written to; nil for what is compared with none.
    var schema: [UInt8]?

    var bytes: [UInt8] {
        var bytes = [UInt8](bigEndian: number) + [UInt8](bigEndian: epoch) + [UInt8](bigEndian: UInt16(tallies.count))
        for tally in tallies { bytes += tally.bytes }
        return bytes + (schema ?? [])
    }
}

extension RowCount {
    /// - Returns: nil for what is no count.
    init?(_ bytes: [UInt8]) {
        var reader = BigEndianReader(bytes)
        do throws(BigEndianError) {
            number = try reader.integer()
            epoch = try reader.integer()
            tallies = []
            for _ in 0..<(try reader.integer(UInt16.self)) {
                tallies.append(try Tally(from: &reader))
            }
            schema = reader.left == 0 ? nil : Array(try reader.take(SchemaDigest.byteCount))
            try reader.end()
        } catch { return nil }
    }
}

extension Tally {
    var bytes: [UInt8] {
        var bytes = [UInt8](bigEndian: count)
        for index in sum.indices { bytes.append(bigEndian: sum[index]) }
        return bytes
    }

    init(from reader: inout BigEndianReader<[UInt8]>) throws(BigEndianError) {
        let count = try reader.integer(UInt64.self)
        var sum = SIMD4<UInt64>()
        for index in sum.indices { sum[index] = try reader.integer() }
        self.init(count: count, sum: sum)
    }

    /// - Returns: nil for what is no tally.
    init?(_ bytes: [UInt8]) {
        var reader = BigEndianReader(bytes)
        do throws(BigEndianError) {
            try self.init(from: &reader)
            try reader.end()
        } catch { return nil }
    }
}

import SCALE
import Substrate

/// Several transactions that are signed together or not at all (`signer-wire` section 1.6).
public struct BulkPayload: Equatable, Sendable {
    /// The transactions in their order, each complete with the leading byte that a bulk leaves out.
    public let members: [TransactionPayload]

    /// Members at the most.
    package static let memberLimit = 512
    private static let versionOne: UInt8 = 0

    init(_ bytes: [UInt8]) throws(PayloadError) {
        let payloads = try Self.split(bytes)
        guard !payloads.isEmpty else { throw .emptyBulk }
        var members: [TransactionPayload] = []
        for (position, payload) in payloads.enumerated() {
            do throws(PayloadError) { members.append(try Self.member(payload)) } catch {
                throw .bulkMember(position: position, error)
            }
        }
        self.members = members
    }

    private static func split(_ bytes: [UInt8]) throws(PayloadError) -> [[UInt8]] {
        do throws(ScaleError) {
            var decoder = ScaleDecoder(bytes, in: Payload.headByteCount..<bytes.count)
            let offset = decoder.position
            let version = try decoder.uint8()
            guard version == versionOne else {
                throw ScaleError.invalidEnumIndex(offset: offset, found: version, type: "bulk")
            }
            let count = try decoder.count()
            guard count <= memberLimit else {
                throw ScaleError.lengthExceedsInput(offset: offset + 1, claimed: count, available: memberLimit)
            }
            var payloads: [[UInt8]] = []
            for _ in 0..<count { payloads.append([Payload.substrateByte] + (try decoder.byteSequence())) }
            try decoder.finish()
            return payloads
        } catch {
            throw .malformedRecord(error)
        }
    }

    /// Anything but a transaction, as a bulk in a bulk or a message in one, is refused unread.
    private static func member(_ payload: [UInt8]) throws(PayloadError) -> TransactionPayload {
        guard payload.count >= Payload.headByteCount else {
            throw .tooShort(found: payload.count, needed: Payload.headByteCount)
        }
        guard let kind = PayloadKind(rawValue: payload[2]) else { throw .unknownKind(payload[2]) }
        guard kind.isTransaction, case .transaction(let transaction) = try Payload(payload) else {
            throw .kindNotSupported(kind)
        }
        return transaction
    }
}

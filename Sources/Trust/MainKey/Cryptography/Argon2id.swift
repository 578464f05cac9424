import CSodium
import SecretMemory
import Synchronization

/// The cost of turning a PIN or recovery code into a key with Argon2id (RFC 9106), one lane.
public struct Argon2Cost: Hashable, Sendable {
    /// The number of passes over the memory (t).
    public var passes: UInt32
    /// The memory in KiB (m).
    public var memoryKiB: UInt32

    /// A cost of so many passes over so much memory.
    public init(passes: UInt32, memoryKiB: UInt32) {
        self.passes = passes
        self.memoryKiB = memoryKiB
    }

    /// The standard cost, three passes over 256 MiB: half a second on a usual machine.
    public static let standard = Argon2Cost(passes: 3, memoryKiB: 256 << 10)

    /// What a file may ask for; a reader refuses the rest before it allocates anything.
    var isReadable: Bool {
        (1...16).contains(passes) && (8192...2_097_152).contains(memoryKiB)
            && work <= Self.mostWork
    }

    /// The KiB that are passed over in all. Numbers of 32 bits do not overflow it.
    var work: UInt64 { UInt64(passes) * UInt64(memoryKiB) }

    /// The most work that a file may ask for: 16 GiB passed over.
    static let mostWork: UInt64 = 16_777_216

    /// Whether all ways to open a vault together ask for no more than a single one may: a wrong credential is tried on
    /// each of its kind.
    ///
    /// - Parameter costs: each of which is readable.
    /// - Throws: `limitExceeded`
    static func check(sumOf costs: [Argon2Cost]) throws(MainKeyError) {
        let sum = costs.reduce(0) { $0 + $1.work }
        guard sum > mostWork else { return }
        throw .limitExceeded(
            reason:
                "the ways to open the vault pass over \(sum >> 20) GiB together, and \(mostWork >> 20) GiB is the most")
    }

    /// Whether it may be written: it is no less than the minimum that OWASP names.
    var isWritable: Bool { isReadable && passes >= 2 && memoryKiB >= 19456 }
}

package enum Argon2id {
    static let saltByteCount = 16
    static let outputByteCount = 32

    /// libsodium's number of Argon2id version 1.3, which its header gives as a macro.
    private static let version13: CInt = 2
    /// Lets one computation run at a time in a process: each takes the memory that it costs.
    private static let running = Mutex(())

    /// - Parameters:
    ///   - password: any bytes.
    ///   - salt: the first 16 bytes are used.
    package static func stretch(_ password: SecretBytes, salt: [UInt8], cost: Argon2Cost) throws(MainKeyError)
        -> SecretBytes
    {
        guard cost.isReadable else {
            throw .limitExceeded(reason: "\(cost.passes) passes over \(cost.memoryKiB) KiB are not allowed for a PIN")
        }
        let salt = Array(salt.prefix(saltByteCount))
        precondition(salt.count == saltByteCount, "Argon2id takes a salt of 16 bytes")
        var outcome: CInt = -1
        let output = try secret {
            try SecretBytes(count: outputByteCount) { output in
                running.withLock { _ in
                    outcome = password.withUnsafeBytes { password in
                        crypto_pwhash_argon2id(
                            output.asBytes, UInt64(outputByteCount),
                            UnsafeRawPointer(password.asBytes).assumingMemoryBound(to: CChar.self),
                            UInt64(password.count), salt, UInt64(cost.passes), Int(cost.memoryKiB) << 10, version13)
                    }
                }
            }
        }
        guard outcome == 0 else {
            throw .limitExceeded(
                reason: "opening takes \(cost.memoryKiB >> 10) MiB of memory, which the system did not give; "
                    + "close other programs and try again")
        }
        return output
    }
}

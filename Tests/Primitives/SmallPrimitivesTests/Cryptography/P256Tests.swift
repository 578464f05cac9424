import Foundation
import SecretMemory
import TestSupport
import Testing
import TextForms

@testable import Cryptography

@Suite("Keys on the curve NIST P-256")
struct P256Tests {
    private static func bytes(_ hex: String) -> [UInt8] {
        guard let bytes = Hex.decode(hex) else { fatalError("no hex: \(hex)") }
        return bytes
    }

    private static func secret(_ hex: String) throws -> SecretBytes { try SecretBytes(copying: bytes(hex)) }

    /// The key and a signature of RFC 6979, A.2.5.
    private enum Signer {
        static let scalar = "C9AFA9D845BA75166B5C215767B1D6934E50C3DB36E89B127B8A622B120F6721"
        static let point =
            "0460FED4BA255A9D31C961EB74C6356D68C049B8923B61FA6CE669622E60F29FB6"
            + "7903FE1008B8BC99A41AE9E95628BC64F2F1B20C2D7E9F5177A3C294D4462299"
        /// SHA-256 of "sample".
        static let digest = "AF2BDBE1AA9B6EC1E2ADE1D694F41FC71A831D0268E9891562113D8A62ADD1BF"
        static let signature =
            "EFD48B2AACB6A8FD1140DD9CD45E81D69D2C877B56AAF991C34D0EA84EAF3716"
            + "F7CB1C942D657C41D436C7A1B6E29F65F3E900DBB9AFF4064DC4AB2F843ACDA8"
        static let der =
            "3046022100EFD48B2AACB6A8FD1140DD9CD45E81D69D2C877B56AAF991C34D0EA84EAF3716"
            + "022100F7CB1C942D657C41D436C7A1B6E29F65F3E900DBB9AFF4064DC4AB2F843ACDA8"
    }

    private static let order = "FFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551"

    // MARK: Known answers

    @Test("have the public keys, and take the signatures, of RFC 6979")
    func signature() throws {
        let key = try #require(P256PrivateKey(scalar: Self.secret(Signer.scalar)))
        #expect(key.publicKey.x963 == Self.bytes(Signer.point))
        let signature = try #require(P256Signature(raw: Self.bytes(Signer.signature)))
        let digest = Self.bytes(Signer.digest)
        #expect(key.publicKey.isValid(signature, ofDigest: digest))
        #expect(signature.der == Self.bytes(Signer.der))
        #expect(P256Signature(der: Self.bytes(Signer.der)) == signature)
        for place in [0, 31, 32, 63] {
            var raw = signature.raw
            raw[place] ^= 1
            let changed = try #require(P256Signature(raw: raw))
            #expect(!key.publicKey.isValid(changed, ofDigest: digest))
        }
        var other = digest
        other[0] ^= 1
        #expect(!key.publicKey.isValid(signature, ofDigest: other))
    }

    @Test("agree on the secret of RFC 5903, section 8.1")
    func agreement() throws {
        let initiator = try #require(
            P256PrivateKey(scalar: Self.secret("C88F01F510D9AC3F70A292DAA2316DE544E9AAB8AFE84049C62A9C57862D1433")))
        let responder = try #require(
            P256PrivateKey(scalar: Self.secret("C6EF9C5D78AE012A011164ACB397CE2088685D8F06BF9BE0B283AB46476BEE53")))
        #expect(
            initiator.publicKey.x963
                == Self.bytes(
                    "04DAD0B65394221CF9B051E1FECA5787D098DFE637FC90B9EF945D0C3772581180"
                        + "5271A0461CDB8252D61F1C456FA3E59AB1F45B33ACCF5F58389E0577B8990BB3"))
        let secret = Self.bytes("D6840F6B42F6EDAFD13116E0E12565202FEF8E9ECE7DCE03812464D04B9442DE")
        for (own, other) in [(initiator, responder), (responder, initiator)] {
            let agreed = try #require(try own.agree(with: other.publicKey))
            #expect(agreed.withUnsafeBytes { Array($0) } == secret)
        }
    }

    // MARK: Refusals

    @Test("are not made of numbers out of range")
    func scalars() throws {
        let last = String(Self.order.dropLast()) + "0"
        #expect(try P256PrivateKey(scalar: Self.secret(last)) != nil)
        for scalar in [
            Self.order, String(repeating: "00", count: 32), String(repeating: "FF", count: 32), "01",
            String(repeating: "00", count: 32) + "01",
        ] {
            #expect(try P256PrivateKey(scalar: Self.secret(scalar)) == nil, "\(scalar)")
        }
    }

    @Test("are not what is no point of the curve, or has another form")
    func points() {
        let point = Self.bytes(Signer.point)
        #expect(P256PublicKey(x963: point) != nil)
        for place in [1, 32, 33, 64] {
            var moved = point
            moved[place] ^= 1
            #expect(P256PublicKey(x963: moved) == nil)
        }
        let compressed = [2] + point[1...32]
        let beyondField = [4] + [UInt8](repeating: 0xff, count: 64)
        let others: [[UInt8]] = [
            [], [0], Array(point.dropLast()), point + [0], [6] + point.dropFirst(), compressed, beyondField,
        ]
        for bytes in others {
            #expect(P256PublicKey(x963: bytes) == nil)
        }
    }

    @Test("signatures out of range are of no digest")
    func range() throws {
        let key = try #require(P256PublicKey(x963: Self.bytes(Signer.point)))
        let (r, s) = (Signer.signature.prefix(64), Signer.signature.suffix(64))
        let zero = String(repeating: "00", count: 32)
        for raw in ["\(zero)\(s)", "\(r)\(zero)", "\(r)\(Self.order)", "\(Self.order)\(s)", zero + zero] {
            let signature = try #require(P256Signature(raw: Self.bytes(raw)))
            #expect(!key.isValid(signature, ofDigest: Self.bytes(Signer.digest)))
        }
        #expect(P256Signature(raw: [UInt8](repeating: 1, count: 63)) == nil)
    }

    @Test(
        "a signature has one form in DER",
        arguments: [
            // Cut off, without numbers, with another tag, with one number, with bytes behind.
            "", "30", "3000", "30060201010201", "3106020101020101", "3003020101", "300602010102010100",
            "3007020101020101" + "00",
            // A length in two bytes, of all and of a number; numbers in two bytes for one, below zero, of no byte.
            "308106020101020101", "300702810101020101", "300702020001020101", "3006020181020101", "3006020101020180",
            "30050200020101", "3006020101030101",
            // Numbers of 33 bytes.
            "3026022101" + String(repeating: "00", count: 32) + "020101",
        ])
    func der(_ hex: String) {
        #expect(P256Signature(der: Self.bytes(hex)) == nil)
    }

    @Test("are read from DER of both forms, and from no other")
    func privateDER() throws {
        let scalar = Signer.scalar
        let curve = "A00A06082A8648CE3D030107"
        let withPoint = "30770201010420\(scalar)\(curve)A144034200\(Signer.point)"
        let algorithm = "301306072A8648CE3D020106082A8648CE3D030107"
        // RFC 5915 with the public key and without, RFC 5208.
        let forms = [
            withPoint, "30310201010420\(scalar)\(curve)",
            "308187020100\(algorithm)046D306B0201010420\(scalar)A144034200\(Signer.point)",
        ]
        for form in forms {
            let key = try P256PrivateKey(der: Self.secret(form))
            #expect(key?.publicKey.x963 == Self.bytes(Signer.point), "\(form)")
            let bytes = Self.bytes(form)
            for end in 0..<bytes.count {
                #expect(try P256PrivateKey(der: SecretBytes(copying: Array(bytes[..<end]))) == nil, "\(end) of \(form)")
            }
            #expect(try P256PrivateKey(der: Self.secret(form + "00")) == nil)
        }
        // The curve secp256k1, the scalar 0, a scalar beyond the order.
        let zero = String(repeating: "00", count: 32)
        for form in [
            "302E0201010420\(scalar)A00706052B8104000A", "30310201010420\(zero)\(curve)",
            "30310201010420\(Self.order)\(curve)",
        ] { #expect(try P256PrivateKey(der: Self.secret(form)) == nil, "\(form)") }
    }

    @Test("whatever happens to DER, a key comes out or none")
    func changedDER() throws {
        var random = SplitMix64(state: 256)
        let form = Self.bytes("30310201010420\(Signer.scalar)A00A06082A8648CE3D030107")
        for _ in 0..<2000 {
            var bytes = form
            for _ in 0..<Int.random(in: 1...3, using: &random) {
                bytes[Int.random(in: 0..<bytes.count, using: &random)] = .random(in: 0...255, using: &random)
            }
            let key = try P256PrivateKey(der: SecretBytes(copying: bytes))
            if let key { #expect(key.scalar.count == P256PrivateKey.byteCount) }
        }
    }

    @Test("sign and verify digests of SHA-256 alone")
    func digests() throws {
        let key = try P256PrivateKey.random()
        let signature = try #require(key.sign(digest: [UInt8](repeating: 1, count: 32)))
        for count in [0, 20, 31, 33, 64] {
            let digest = [UInt8](repeating: 1, count: count)
            #expect(key.sign(digest: digest) == nil)
            #expect(!key.publicKey.isValid(signature, ofDigest: digest))
        }
    }

    // MARK: Round trips

    @Test("what a new key signs, it has signed, and no other; two new keys agree")
    func roundTrip() throws {
        let (one, other) = (try P256PrivateKey.random(), try P256PrivateKey.random())
        for number in 0..<64 {
            let digest = [UInt8](repeating: UInt8(number), count: 32)
            let signature = try #require(one.sign(digest: digest))
            #expect(one.publicKey.isValid(signature, ofDigest: digest))
            #expect(!other.publicKey.isValid(signature, ofDigest: digest))
            #expect(P256Signature(der: signature.der) == signature)
        }
        let (left, right) = (try one.agree(with: other.publicKey), try other.agree(with: one.publicKey))
        let (ours, theirs) = (try #require(left), try #require(right))
        #expect(ours.withUnsafeBytes { Array($0) } == theirs.withUnsafeBytes { Array($0) })
    }

    #if os(Linux)
        @Test("nothing of a private key stays with the library")
        func leftovers() throws {
            let key = try P256PrivateKey.random()
            // The library holds numbers as words of the machine, which begin with the last byte.
            let reversed = try SecretBytes(count: P256PrivateKey.byteCount) { output in
                key.scalar.withUnsafeBytes { output.copyBytes(from: $0.reversed()) }
            }
            // In place: arrays that are put together leave copies.
            let (head, tail) = (Self.bytes("30310201010420"), Self.bytes("A00A06082A8648CE3D030107"))
            let der = try SecretBytes(count: head.count + P256PrivateKey.byteCount + tail.count) { output in
                output.copyBytes(from: head)
                key.scalar.withUnsafeBytes {
                    UnsafeMutableRawBufferPointer(rebasing: output[head.count...]).copyMemory(from: $0)
                }
                UnsafeMutableRawBufferPointer(rebasing: output.suffix(tail.count)).copyBytes(from: tail)
            }
            var scan = MemoryScan()
            // In halves: the heap writes over the beginning of what it is given back.
            for half in [0..<16, 16..<32] {
                key.scalar.withUnsafeBytes { scan.look(for: "scalar", UnsafeRawBufferPointer(rebasing: $0[half])) }
                reversed.withUnsafeBytes { scan.look(for: "words", UnsafeRawBufferPointer(rebasing: $0[half])) }
            }
            // What was freed is held as it is, so that nothing is written over it before the scan.
            var held: [UnsafeMutableRawPointer?] = []
            defer { for block in held { free(block) } }
            let digest = [UInt8](repeating: 1, count: 32)
            for work in [
                { key.sign(digest: digest) != nil }, { try key.agree(with: key.publicKey) != nil },
                { try P256PrivateKey(der: der) != nil }, { P256PrivateKey(scalar: key.scalar) != nil },
            ] {
                #expect(try work())
                held += (0..<100).map { malloc(24 + 16 * ($0 % 10)) }
            }
            let own = [key.scalar, reversed, der].map { secret in
                secret.withUnsafeBytes { UInt(bitPattern: $0.baseAddress)..<UInt(bitPattern: $0.baseAddress) + 64 }
            }
            let found = try scan.run()
            #expect(found.contains { own[0].contains($0.address) })
            let others = found.filter { place in !own.contains { $0.contains(place.address) } }
            #expect(others.isEmpty, "\(others)")
        }
    #endif
}

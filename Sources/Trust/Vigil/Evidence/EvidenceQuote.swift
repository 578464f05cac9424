import BasicFoundation
import HardwareKeys
import StrictJSON
import TextForms

/// A TPM's word about the machine, beside the evidence that it is bound to.
///
/// In the envelope it is the member `quote` with `attest`, `signature` and `akPublic` (the TPM's own structures in
/// base64) and `pcrs`, the values of the registers in hex by their decimal number.
///
/// Source: `vigil` section 9.4.
public struct EvidenceQuote: Hashable, Sendable {
    /// What the TPM says, as `TPMS_ATTEST`.
    public var attest: [UInt8]
    /// The signature as `TPMT_SIGNATURE`.
    public var signature: [UInt8]
    /// The attestation key as `TPMT_PUBLIC`.
    public var keyArea: [UInt8]
    /// Registers of the SHA-256 bank, 32 bytes each.
    public var registers: [Int: [UInt8]]

    /// A quote as the TPM gave it.
    public init(attest: [UInt8], signature: [UInt8], keyArea: [UInt8], registers: [Int: [UInt8]]) {
        self.attest = attest
        self.signature = signature
        self.keyArea = keyArea
        self.registers = registers
    }

    /// What the TPM has to be given to sign, so that the quote belongs to this evidence and no other.
    public static func qualifyingData(for payload: [UInt8]) -> Bytes32 {
        .hash(of: Envelope.signedBytes(type: Evidence.payloadType, payload: payload))
    }
}

extension EvidenceQuote {
    init(_ fields: JSONFields) throws(JSONFieldError) {
        attest = try fields.base64("attest")
        signature = try fields.base64("signature")
        keyArea = try fields.base64("akPublic")
        registers = [:]
        let values = try fields.object("pcrs")
        for name in values.names {
            guard let register = Int(name), (0..<24).contains(register), String(register) == name else {
                throw values.error(in: name, "a number from 0 to 23 expected")
            }
            registers[register] = try values.digest(name).bytes
        }
    }

    var json: JSON {
        let values = registers.map { JSON.Member(name: "\($0.key)", value: .string(Hex.encode($0.value))) }
        return [
            "attest": .string(Data(attest).base64EncodedString()),
            "signature": .string(Data(signature).base64EncodedString()),
            "akPublic": .string(Data(keyArea).base64EncodedString()),
            "pcrs": .object(values),
        ]
    }

    /// - Parameters:
    ///   - keys: ids of attestation keys that are known.
    ///   - wanted: what registers have to hold.
    /// - Throws: ``EvidenceRefusal/quote(_:)``
    func check(
        binding payload: [UInt8], keys: Set<Bytes32>, wanted: [Int: [UInt8]]
    ) throws(EvidenceRefusal) {
        let quote: TPMQuote
        do throws(HardwareKeyError) {
            quote = try TPMQuote(attest: attest, signature: signature, keyArea: keyArea)
        } catch {
            throw .quote(.malformed("\(error)"))
        }
        guard let key = PublicKey(x963: quote.publicKey), keys.contains(key.id) else {
            throw .quote(.unknownKey)
        }
        guard quote.isSigned else { throw .quote(.signatureInvalid) }
        guard quote.qualifyingData == Self.qualifyingData(for: payload).bytes else {
            throw .quote(.qualifyingDataMismatch)
        }
        guard quote.covers(registers), wanted.allSatisfy({ registers[$0.key] == $0.value }) else {
            throw .quote(.registersMismatch)
        }
    }
}

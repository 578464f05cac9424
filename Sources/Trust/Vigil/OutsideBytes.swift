/// Parsers of bytes from outside that stand behind a signature, for the fuzzer alone.
@_spi(Fuzzing) public enum OutsideBytes {
    /// - Returns: whether they are a manifest's payload, which is then written as it was read.
    public static func manifest(_ bytes: [UInt8]) -> Bool {
        guard let manifest = try? Manifest(payload: bytes) else { return false }
        return (try? Manifest(payload: manifest.payload)) == manifest
    }

    /// - Returns: whether they are the payload of evidence.
    public static func evidence(_ bytes: [UInt8]) -> Bool { (try? Evidence(payload: bytes)) != nil }

    /// - Returns: whether they are a store's payload.
    public static func attestation(_ bytes: [UInt8]) -> Bool { (try? Attestation(payload: bytes)) != nil }
}

#if os(macOS) && canImport(XPC)
    import CodeMeasurement
    import ExecutableImage
    import Foundation

    /// The other side's program as it is installed and signed: its file was compared with the manifest, and its cdhash
    /// is what the system knows it by when it runs.
    ///
    /// The manifest does not name the cdhash, as digests of code do not depend on signatures. Both are read from one
    /// open file. A program into which the system lets other code is refused: its cdhash would say nothing of what
    /// runs.
    ///
    /// Not run where this project is tested, and so kept small.
    ///
    /// Source: `vigil` sections 3.9 and 11.1.
    public struct SignedProgram: Sendable {
        package let expected: ExpectedProgram
        package let teamID: String
        package let identifier: String
        /// 20 bytes for each hash function of the signature.
        let cdhashes: [[UInt8]]

        /// - Throws: ``Refusal``: `hashMismatch` for files that are not the manifest's, or not signed, or carry the
        ///   signature of other code, and for a program without the hardened runtime or with entitlements that open it.
        public init(_ expected: ExpectedProgram, teamID: String, identifier: String) throws(Refusal) {
            guard (teamID + identifier).allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || "-.".contains($0)) })
            else {
                throw Refusal(.internal, "team \(teamID) and identifier \(identifier) cannot stand in a requirement")
            }
            self.expected = expected
            self.teamID = teamID
            self.identifier = identifier
            var cdhashes: [[UInt8]] = []
            var notCovered: String?
            var wayIn: String?
            for image in expected.images {
                do throws(ImageFailure) {
                    let parsed = try ExecutableFile(parsing: OpenedFile(path: expected.path(of: image)))
                    guard let slice = parsed.images.first(where: { $0.architecture == image.architecture }),
                        try parsed.digests([.load2], of: [slice]).images.first?.load2?.bytes == image.load2.bytes,
                        let signature = try parsed.codeSignature(of: slice)
                    else { throw ImageFailure.refused(.codeSignatureOutOfBounds, offset: 0) }
                    // `load2` leaves the signature out: it could be that of another program, and name that one.
                    if let found = signature.codeNotCovered { notCovered = "\(image.path): \(found)" }
                    guard image.role == .program else { continue }
                    cdhashes = signature.directories.map(\.cdhash)
                    wayIn = signature.wayInForOtherCode
                } catch {
                    throw Refusal(.hashMismatch, "\(image.path) is not the manifest's, or not signed: \(error)")
                }
            }
            if let notCovered { throw Refusal(.hashMismatch, notCovered) }
            guard !cdhashes.isEmpty else { throw Refusal(.hashMismatch, "the program is not signed") }
            if let wayIn { throw Refusal(.hashMismatch, "other code can be loaded into the program: \(wayIn)") }
            self.cdhashes = cdhashes
        }

        /// The requirement in the language of code signing: exactly this program, signed by this team.
        public var requirement: String {
            let hashes = cdhashes.map { "cdhash H\"\($0.map { String(format: "%02x", $0) }.joined())\"" }
            return "anchor apple generic and certificate leaf[subject.OU] = \"\(teamID)\""
                + " and identifier \"\(identifier)\" and (\(hashes.joined(separator: " or ")))"
        }
    }
#endif

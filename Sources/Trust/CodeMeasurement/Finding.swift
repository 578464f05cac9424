/// What was found, for the log: where in which image, and in words.
public struct Finding: Hashable, Sendable {
    /// The image of the manifest, or the file that does not belong.
    public var path: String?
    /// The index of the segment among those of the image that are covered.
    public var segment: Int?
    /// Numbers of pages, counted from the first byte of the segment in units of ``CodePage/size``.
    public var pages: [Int]
    /// Where in the memory of the process.
    public var address: UInt64?
    /// The rule of behaviour that does not hold.
    public var ruleID: String?
    /// What was found, in words.
    public var text: String

    /// - Parameters: the properties of the same names.
    public init(
        _ text: String, path: String? = nil, segment: Int? = nil, pages: [Int] = [], address: UInt64? = nil,
        ruleID: String? = nil
    ) {
        self.text = text
        self.path = path
        self.segment = segment
        self.pages = pages
        self.address = address
        self.ruleID = ruleID
    }
}

extension Finding: Encodable {
    /// What reports for machines say of it.
    private enum CodingKeys: String, CodingKey { case text, path, segment, pages, ruleID }
}

extension Finding: CustomStringConvertible {
    /// Place and text, for the log.
    public var description: String {
        var parts: [String] = []
        if let path { parts.append(path) }
        if let segment { parts.append("segment \(segment)") }
        if !pages.isEmpty { parts.append("page " + pages.map(String.init).joined(separator: ", ")) }
        if let address { parts.append("address 0x" + String(address, radix: 16)) }
        if let ruleID { parts.append("rule \(ruleID)") }
        return parts.isEmpty ? text : "\(text) (\(parts.joined(separator: ", ")))"
    }
}

/// A measurement that ends with a reason to distrust.
public struct MeasurementRefusal: Error, Hashable, Sendable, CustomStringConvertible {
    /// The reason, never ``Reason/ok``.
    public let reason: Reason
    /// What exactly and where.
    public let finding: Finding

    /// A refusal with a finding.
    public init(_ reason: Reason, _ finding: Finding) {
        self.reason = reason
        self.finding = finding
    }

    /// A refusal whose finding is a text alone.
    public init(_ reason: Reason, _ text: String) {
        self.init(reason, Finding(text))
    }

    /// Reason and finding, for the log.
    public var description: String { "\(reason): \(finding)" }
}

/// Reads settings one by one, keeps what is wrong with them, and remembers what each came out as.
struct SettingReader {
    private let sources: SettingSources
    private(set) var problems: [ConfigurationProblem] = []
    private(set) var warnings: [ConfigurationProblem] = []
    /// What each setting came out as, credentials included; nothing for one without a value.
    private(set) var written: [SettingName: String] = [:]

    init(_ sources: SettingSources) {
        self.sources = sources
        for name in sources.unknownNames {
            warnings.append(ConfigurationProblem(name, text: "The gate knows no such setting."))
        }
    }

    mutating func fail(_ name: SettingName, _ text: String) { problems.append(ConfigurationProblem(name, text: text)) }

    mutating func warn(_ name: SettingName, _ text: String) { warnings.append(ConfigurationProblem(name, text: text)) }

    /// All settings in the order of their names; one without a value is shown empty.
    var effective: [(name: String, value: String)] {
        SettingName.allCases.map { name in
            let value = written[name] ?? ""
            return (name.rawValue, name.isSecret ? SecretText.masked(value) : value)
        }
    }

    mutating func text(_ name: SettingName, default standard: String? = nil) -> String? {
        let text = sources.text(name) ?? standard
        written[name] = text
        return text
    }

    /// - Parameters:
    ///   - shown: the default as an operator would write it, where that is not its description.
    ///   - expected: what a value has to be, for the message: "a number from 1 to 10".
    mutating func value<Value>(
        _ name: SettingName, default standard: Value, shown standardText: String? = nil, expected: String,
        parse: (String) -> Value?
    ) -> Value {
        guard let text = sources.text(name) else {
            written[name] = standardText ?? "\(standard)"
            return standard
        }
        written[name] = text
        guard let value = parse(text) else {
            fail(name, name.isSecret ? "It has to be \(expected)." : "It has to be \(expected), not \(SafeText(text)).")
            return standard
        }
        return value
    }

    mutating func flag(_ name: SettingName, default standard: Bool = false) -> Bool {
        value(name, default: standard, expected: "true or false") { text in
            switch ASCIIText.lowercased(text) {
            case "1", "true", "yes", "on": true
            case "0", "false", "no", "off": false
            default: nil
            }
        }
    }

    mutating func number(_ name: SettingName, default standard: Int, _ range: ClosedRange<Int>) -> Int {
        value(name, default: standard, expected: "a number from \(range.lowerBound) to \(range.upperBound)") { text in
            ASCIIText.number(text).flatMap { range.contains($0) ? $0 : nil }
        }
    }

    func isSet(_ name: SettingName) -> Bool { sources.text(name) != nil }

    /// Reads a number in a range; nil where the setting is not set.
    mutating func optionalNumber(_ name: SettingName, _ range: ClosedRange<Int>) -> Int? {
        guard isSet(name) else { return nil }
        return number(name, default: range.lowerBound, range)
    }

    /// Reads a span of milliseconds, up to a day.
    mutating func duration(_ name: SettingName, default standard: Duration, from lowest: Int = 1) -> Duration {
        .milliseconds(number(name, default: Int(standard.milliseconds), lowest...86_400_000))
    }

    mutating func choice<Choice: RawRepresentable & CaseIterable>(
        _ name: SettingName, default standard: Choice
    ) -> Choice where Choice.RawValue == String {
        let names = Choice.allCases.map(\.rawValue)
        let choice = value(name, default: standard.rawValue, expected: "one of \(names.joined(separator: ", "))") {
            text in
            names.contains(ASCIIText.lowercased(text)) ? ASCIIText.lowercased(text) : nil
        }
        return Choice(rawValue: choice) ?? standard
    }

    /// Reads the members of a list, each of which has to be good.
    mutating func list<Member>(
        _ name: SettingName, of expected: String, parse: (String) -> Member?
    ) -> [Member] {
        guard let text = text(name) else { return [] }
        var members: [Member] = []
        for part in ASCIIText.list(text) {
            if let member = parse(part) {
                members.append(member)
            } else {
                fail(name, "Each part has to be \(expected), not \(SafeText(part)).")
            }
        }
        return members
    }
}

/// Addresses of services, shown without what lets somebody in.
enum SecretText {
    private static let mask = "***"
    /// Parameters of a query that hold no secret.
    private static let harmless: Set<String> = [
        "sslmode", "sslrootcert", "application_name", "connect_timeout", "target_session_attrs", "dbname", "host",
        "port",
        "user",
    ]

    /// The address with the password and all parameters masked that are not known to be harmless.
    static func masked(_ url: String) -> String {
        var head = url
        var query = ""
        if let mark = url.firstIndex(of: "?") {
            head = String(url[..<mark])
            query = "?" + url[url.index(after: mark)...].split(separator: "&").map(maskedPair).joined(separator: "&")
        }
        // A password may hold slashes and at signs: everything up to the last one counts.
        if let start = head.firstRange(of: "://")?.upperBound, let at = head.lastIndex(of: "@"), start <= at {
            let user = head[start..<at].prefix { $0 != ":" }
            head = head[..<start] + user + (user.endIndex == at ? "" : ":" + mask) + head[at...]
        }
        return head + query
    }

    private static func maskedPair(_ pair: Substring) -> String {
        let name = pair.prefix { $0 != "=" }
        return harmless.contains(String(name)) || name.endIndex == pair.endIndex ? String(pair) : "\(name)=\(mask)"
    }
}

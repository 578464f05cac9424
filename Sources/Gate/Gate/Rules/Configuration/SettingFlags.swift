/// Settings given as flags: `--ws-port 6200` or `--ws-port=6200`.
///
/// Source: `appattest-gate` section 3.6.
package struct SettingFlags: Equatable, Sendable {
    package private(set) var values: [String: String] = [:]
    /// Arguments that are no settings, in their order.
    package private(set) var others: [String] = []

    package init(_ arguments: [String]) throws(ConfigurationFailure) {
        var problems: [ConfigurationProblem] = []
        var rest = arguments[...]
        while let argument = rest.popFirst() {
            let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard let name = parts.first.flatMap({ Self.names[String($0)] }) else {
                others.append(argument)
                continue
            }
            guard let value = parts.count == 2 ? String(parts[1]) : rest.popFirst() else {
                problems.append(ConfigurationProblem(name.flag, text: "A value is missing."))
                continue
            }
            if values.updateValue(value, forKey: name.rawValue) != nil {
                problems.append(ConfigurationProblem(name.flag, text: "It is given a second time."))
            }
        }
        guard problems.isEmpty else { throw ConfigurationFailure(problems: problems) }
    }

    private static let names = Dictionary(
        SettingName.allCases.map { ($0.flag, $0) }, uniquingKeysWith: { first, _ in first })
}

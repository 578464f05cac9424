internal import Configuration

/// Where settings come from. A flag wins over the file, the file over the environment.
///
/// Which source wins is swift-configuration's to decide; the text that it finds is read here, because a wrong value has
/// to name its variable and all wrong values are told at once.
package struct SettingSources: Sendable {
    private let flags: [String: String]
    private let file: [String: String]
    private let environment: [String: String]
    private let reader: ConfigReader

    package init(flags: [String: String] = [:], file: [String: String] = [:], environment: [String: String]) {
        self.flags = flags
        self.file = file
        self.environment = environment
        reader = ConfigReader(providers: [
            Self.provider("flags", flags), Self.provider("file", file),
            EnvironmentVariablesProvider(environmentVariables: environment),
        ])
    }

    private static func provider(_ name: String, _ values: [String: String]) -> InMemoryProvider {
        let names = SettingName.allCases.compactMap { name in values[name.rawValue].map { (name, $0) } }
        return InMemoryProvider(
            name: name,
            values: Dictionary(
                uniqueKeysWithValues: names.map {
                    (AbsoluteConfigKey([$0.0.rawValue]), ConfigValue(.string($0.1), isSecret: $0.0.isSecret))
                }))
    }

    /// - Returns: nil where no source names it, and where the one that wins leaves it empty.
    func text(_ name: SettingName) -> String? {
        let text = reader.string(forKey: ConfigKey([name.rawValue]), isSecret: name.isSecret)
        return text?.isEmpty == true ? nil : text
    }

    /// Names that look like the gate's and are not: all of the file's, and of the environment those with a beginning of
    /// its own.
    var unknownNames: [String] {
        let ofFile = file.keys.filter { SettingName(rawValue: $0) == nil }
        let ofEnvironment = environment.keys.filter { key in
            SettingName(rawValue: key) == nil && SettingName.ownPrefixes.contains { key.hasPrefix($0) }
        }
        return Set(ofFile + ofEnvironment).sorted()
    }
}

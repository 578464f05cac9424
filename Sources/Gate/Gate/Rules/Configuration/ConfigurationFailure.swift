/// What is wrong with a configuration, all of it at once.
struct ConfigurationFailure: Error, Equatable, Sendable, CustomStringConvertible {
    /// The exit status of a program that was configured wrongly (EX_CONFIG).
    static let exitStatus: Int32 = 78

    let problems: [ConfigurationProblem]

    var description: String { problems.map(\.description).joined(separator: "\n") }
}

/// One thing that is wrong. It never shows the value of a setting that may hold a credential.
struct ConfigurationProblem: Equatable, Sendable, CustomStringConvertible {
    /// The name of the setting, or the line of the file.
    let place: String
    let text: String

    init(_ place: String, text: String) {
        self.place = place
        self.text = text
    }

    init(_ name: SettingName, text: String) { self.init(name.rawValue, text: text) }

    var description: String { "\(place): \(text)" }
}

/// What is wrong with a configuration, all of it at once.
public struct ConfigurationFailure: Error, Equatable, Sendable, CustomStringConvertible {
    /// The exit status of a program that was configured wrongly (EX_CONFIG).
    public static let exitStatus: Int32 = 78

    public let problems: [ConfigurationProblem]

    public var description: String { problems.map(\.description).joined(separator: "\n") }
}

/// One thing that is wrong. It never shows the value of a setting that may hold a credential.
public struct ConfigurationProblem: Equatable, Sendable, CustomStringConvertible {
    /// The name of the setting, or the line of the file.
    public let place: String
    public let text: String

    public init(_ place: String, _ text: String) {
        self.place = place
        self.text = text
    }

    public init(_ name: SettingName, _ text: String) { self.init(name.rawValue, text) }

    public var description: String { "\(place): \(text)" }
}

/// What is wrong with a configuration, all of it at once.
public struct ConfigurationFailure: Error, Equatable, Sendable, CustomStringConvertible {
    /// The exit status of a program that was configured wrongly (EX_CONFIG).
    package static let exitStatus: Int32 = 78

    package let problems: [ConfigurationProblem]

    /// A line for each problem: the name of the setting, what is wrong, and what it has to be.
    public var description: String { problems.map(\.description).joined(separator: "\n") }
}

/// One thing that is wrong. It never shows the value of a setting that may hold a credential.
package struct ConfigurationProblem: Equatable, Sendable, CustomStringConvertible {
    /// The name of the setting, or the line of the file.
    package let place: String
    package let text: String

    package init(_ place: String, text: String) {
        self.place = place
        self.text = text
    }

    package init(_ name: SettingName, text: String) { self.init(name.rawValue, text: text) }

    package var description: String { "\(place): \(text)" }
}

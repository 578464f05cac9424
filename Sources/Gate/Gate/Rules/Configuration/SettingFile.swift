/// A file of `NAME=value` lines, as `--config` names it.
///
/// Empty lines and lines that begin with `#` say nothing. One pair of quotes around a value is taken off; there are no
/// escapes and no references to other names.
/// Source: `appattest-gate` section 3.6.
package struct SettingFile: Equatable, Sendable {
    package static let maximumBytes = 262_144

    package let values: [String: String]

    package init(_ bytes: [UInt8]) throws(ConfigurationFailure) {
        guard bytes.count <= Self.maximumBytes else {
            throw Self.failure("The file has more than 256 KiB.")
        }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw Self.failure("The file is not UTF-8.")
        }
        var values: [String: String] = [:]
        var problems: [ConfigurationProblem] = []
        let lines = text.utf8.split(omittingEmptySubsequences: false) { $0 == UInt8(ascii: "\n") }
        for (index, line) in lines.enumerated() {
            let place = "--config, line \(index + 1)"
            switch Self.parse(Substring(line)) {
            case .nothing: break
            case .malformed: problems.append(ConfigurationProblem(place, text: "This is not NAME=value."))
            case .setting(let name, let value):
                if values.updateValue(value, forKey: name) != nil {
                    problems.append(ConfigurationProblem(place, text: "\(name) is set a second time."))
                }
            }
        }
        guard problems.isEmpty else { throw ConfigurationFailure(problems: problems) }
        self.values = values
    }

    private static func failure(_ text: String) -> ConfigurationFailure {
        ConfigurationFailure(problems: [ConfigurationProblem("--config", text: text)])
    }

    private enum Line {
        case nothing, malformed
        case setting(name: String, value: String)
    }

    private static func parse(_ line: Substring) -> Line {
        let line = ASCIIText.trimmed(line.utf8.last == UInt8(ascii: "\r") ? Substring(line.utf8.dropLast()) : line)
        guard let first = line.utf8.first, first != UInt8(ascii: "#") else { return .nothing }
        guard let equals = line.utf8.firstIndex(of: UInt8(ascii: "=")) else { return .malformed }
        let name = ASCIIText.trimmed(line[..<equals])
        var value = ASCIIText.trimmed(line[line.utf8.index(after: equals)...])
        guard !name.isEmpty, name.utf8.allSatisfy(isInName), value.utf8.allSatisfy({ $0 >= 0x20 || $0 == 0x09 }) else {
            return .malformed
        }
        if let quote = value.utf8.first, quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") {
            guard value.utf8.count >= 2, value.utf8.last == quote else { return .malformed }
            value = ASCIIText.dropping(first: 1, last: 1, value)
        }
        return .setting(name: String(name), value: String(value))
    }

    private static func isInName(_ byte: UInt8) -> Bool {
        UInt8(ascii: "A")...UInt8(ascii: "Z") ~= byte || ASCIIText.isDigit(byte) || byte == UInt8(ascii: "_")
    }
}

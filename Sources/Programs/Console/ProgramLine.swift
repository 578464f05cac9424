import BasicFoundation

/// What a program says of itself on standard error: a line that begins with its name. Nothing in the text steers a
/// terminal, wherever parts of it are from.
package enum ProgramLine {
    /// Says something that a person should know; the program goes on.
    package static func note(_ text: String, by program: String) {
        StandardError.write("\(program): \(StandardError.shown(text))\n")
    }

    /// Says why the program failed.
    ///
    /// - Parameter code: the failure's stable name.
    package static func failure(_ text: String, code: String? = nil, by program: String) {
        let name = code.map { Style.errors.dim(" [\($0)]") } ?? ""
        StandardError.write(Style.errors.danger("\(program): ") + StandardError.shown(text) + name + "\n")
    }

    /// What an error says, and behind it what to type next.
    package static func text(_ text: String, next step: String?) -> String {
        guard let step else { return text }
        return text + (text.hasSuffix(".") ? " " : ". ") + step
    }

    /// Says why the program failed, also as JSON where that is asked for, and ends it.
    package static func end(_ text: String, code: String, by program: String, status: Int32) -> Never {
        failure(text, code: code, by: program)
        OutputOptions.printFailure(text, code: code)
        exit(status)
    }
}

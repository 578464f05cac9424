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
}

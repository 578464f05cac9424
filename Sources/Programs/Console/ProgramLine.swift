#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

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
        let style = Style(enabled: isatty(STDERR_FILENO) == 1 && Terminal.environmentTakesColour)
        let name = code.map { style.dim(" [\($0)]") } ?? ""
        StandardError.write(style.danger("\(program): ") + StandardError.shown(text) + name + "\n")
    }
}

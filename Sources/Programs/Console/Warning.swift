import TextForms

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Something that a person should know, beside what a command prints.
package enum Warning {
    package static func show(_ text: String) {
        let style = Style(enabled: isatty(STDERR_FILENO) == 1 && Terminal.environmentTakesColour)
        StandardError.write("\(style.warning("Warning:")) \(ScreenText.escape(text))\n")
    }
}

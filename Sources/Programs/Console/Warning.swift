import TextForms

/// Something that a person should know, beside what a command prints.
package enum Warning {
    package static func show(_ text: String) {
        StandardError.write("\(Style.errors.warning("Warning:")) \(ScreenText.escape(text))\n")
    }
}

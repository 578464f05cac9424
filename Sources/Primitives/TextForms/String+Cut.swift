extension String {
    /// The beginning of a text from outside, of so many scalars: one character may have a million marks.
    package func cut(to count: Int) -> String { String(String.UnicodeScalarView(unicodeScalars.prefix(count))) }
}

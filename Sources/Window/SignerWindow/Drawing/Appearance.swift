#if canImport(CAdwaita)
    import Adwaita
    import CTexts

    /// How pages look, beyond what the library gives by itself. Colours are the library's names, which follow light and
    /// dark and high contrast.
    @MainActor
    enum Appearance {
        private static var isAdded = false

        static func add() {
            guard !isAdded else { return }
            isAdded = true
            let text = casemate_window_style()
            let bytes = UnsafeRawBufferPointer(start: text.bytes, count: text.count)
            StyleSheet.add(String(decoding: bytes, as: UTF8.self))
        }
    }
#endif

#if canImport(CAdwaita)
    import Adwaita

    /// Which keys are held, and since which page: one that was pressed on another page does nothing on this one.
    @MainActor
    final class KeysDown {
        /// The number of the page on which a key went down, by its code.
        private var pages: [UInt32: Int] = [:]
        private var page = 0
        /// Whether the key that was pressed last had been down before.
        private(set) var isRepeat = false
        /// Whether the key that was pressed last went down on another page, so that nobody has pressed it for this one.
        private(set) var isOfOtherPage = false

        func press(_ key: Key) {
            let began = pages[key.code]
            isRepeat = began != nil
            isOfOtherPage = began.map { $0 != page } ?? false
            if began == nil { pages[key.code] = page }
        }

        func release(_ key: Key) { pages[key.code] = nil }
        /// What the keys go to is another page from now on, or something else lies over it.
        func turnPage() { page += 1 }
        /// Another window has the keys: it is told which are let go of, and this one is not.
        func forget() { pages = [:] }
    }

    /// Keeps the screen from going dark as long as somebody wants that.
    @MainActor
    final class Wake {
        private let application: Application
        private let window: Window
        private var number: UInt32 = 0
        private var count = 0

        init(_ application: Application, _ window: Window) { (self.application, self.window) = (application, window) }

        func begin() {
            count += 1
            if count == 1 { number = application.keepAwake(window, why: "A code is shown to a camera") }
        }

        func end() {
            count -= 1
            if count == 0 { application.mayGoDark(number) }
        }
    }
#endif

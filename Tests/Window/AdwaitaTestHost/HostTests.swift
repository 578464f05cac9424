#if canImport(CAdwaita)
    import Adwaita
    import Screens
    import SecretMemory
    import SignerWindow

    /// What tests ask of a window.
    @MainActor
    enum HostTests {
        static var held: [AnyObject] = []

        static func run(_ arguments: [String], in application: Application) {
            switch arguments.first {
            case "show": show(arguments, in: application)
            default: application.quit()
            }
        }

        private static func show(_ arguments: [String], in application: Application) {
            let (width, height) = (Int(arguments[2])!, Int(arguments[3])!)
            if arguments.contains("dark") { ColorScheme.dark.apply() }
            let window = Window(of: application, title: "Casemate", size: (width, height))
            let handler = Handler()
            let view = PageView(handler: handler, in: window, of: application)
            held = [window, handler, view]
            let page =
                switch arguments[1] {
                case "keys": Samples.keys
                case "transaction": Samples.transaction
                case "fields": Samples.fields
                case "sheet": Samples.sheet
                case "alert": Samples.alert
                case "scanner": Samples.scanner
                case "code": Samples.code(moving: false)
                case "film": Samples.code(moving: true)
                default: Samples.empty
                }
            view.show(page)
            window.present()
        }
    }

    /// Writes what a page asks for.
    @MainActor
    final class Handler: PageHandler {
        var asked: [Message] = []
        func perform(_ message: Message, with values: any FieldValues) {
            asked.append(message)
            print("message \(message)")
        }
        func verdict(onPath path: String) -> FieldVerdict? {
            path.hasPrefix("/")
                ? FieldVerdict(severity: .good, text: "This key is new.")
                : FieldVerdict(severity: .refusal, text: "A path begins with / or //.")
        }
        func phrase() throws -> SecretBytes { try SecretBytes(count: 1) { _ in } }
        func personIsThere() {}
    }
#endif

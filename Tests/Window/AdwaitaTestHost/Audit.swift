#if canImport(CAdwaita)
    import Adwaita
    import CAdwaita
    import Glibc
    import Screens

    /// Looks at all that is on the screen for what nobody can read: text that is cut, what is wider than the window or
    /// has less room than it needs, what is told by a colour alone, and letters that hardly differ from their ground.
    @MainActor
    struct Audit {
        private let window: Widget
        private let picture: Snapshot?
        private(set) var complaints: [String] = []
        /// Whether something lies over it, for what is being looked at and all around it.
        private var isCovered: [Bool] = []
        /// In which it can be moved.
        private var scrollers: [Widget] = []
        /// The buttons that are held in which it is.
        private var held: [Widget] = []

        /// - Parameter picture: of the window, for its contrast; nil to leave that out.
        init(_ window: Widget, picture: Snapshot?) {
            (self.window, self.picture) = (window, picture)
            look(at: window)
        }

        private mutating func look(at widget: Widget) {
            guard widget.isMapped else { return }
            isCovered.append(isCovered.last == true || gtk_widget_get_can_target(widget.typed()) == 0)
            defer { isCovered.removeLast() }
            if let severity = Self.severity(of: widget) { checkWords(of: widget, severity) }
            if widget.isScroller { scrollers.append(widget) }
            defer { if widget.isScroller { scrollers.removeLast() } }
            if widget.has(class: "hold") { held.append(widget) }
            defer { if widget.has(class: "hold") { held.removeLast() } }
            if !widget.isOfLibrary { checkRoom(of: widget) }
            if widget.isLabel { checkText(of: widget) }
            for child in widget.children { look(at: child) }
        }

        private mutating func complain(_ what: String, _ widget: Widget) {
            complaints.append("\(what): \(widget.summary)")
        }

        // MARK: Room

        private mutating func checkRoom(of widget: Widget) {
            let (width, height) = widget.allocation
            let least = widget.least(.horizontal, across: -1)
            if least > width + 1 { complain("\(width) of \(least) pixels of width", widget) }
            let high = widget.least(.vertical, across: max(width, least))
            if high > height + 1 { complain("\(height) of \(high) pixels of height", widget) }
            guard width > 0, let frame = widget.frame(in: window) else { return }
            if frame.x < -1 || frame.x + frame.width > Double(window.width) + 1 {
                complain("from \(Int(frame.x)) to \(Int(frame.x + frame.width)) of \(window.width)", widget)
            }
        }

        // MARK: Text

        private mutating func checkText(of label: Widget) {
            guard let layout = gtk_label_get_layout(label.pointer) else { return }
            // Names in the header are cut where they take more than two lines: what has a name that is so long says it.
            let isHeader = ["title", "subtitle", "shield-vault"].contains { label.has(class: $0) }
            if pango_layout_is_ellipsized(layout) != 0, !isHeader { complain("cut with dots", label) }
            var (width, height) = (Int32(0), Int32(0))
            pango_layout_get_pixel_size(layout, &width, &height)
            if Int(width) > label.width + 1 || Int(height) > label.height + 1 {
                complain("text of \(width) × \(height) in \(label.width) × \(label.height)", label)
            }
            checkContrast(of: label)
        }

        /// What letters differ from their ground at the least. WCAG asks for 4.5; no pixel of small ones has all of
        /// their colour.
        private static let leastContrast = 4.0

        private mutating func checkContrast(of label: Widget) {
            guard let picture, isCovered.last == false, label.isInSensitive, let frame = label.frame(in: window),
                label.width > 4, label.height > 4, !label.text.allSatisfy(\.isWhitespace)
            else { return }
            // What is moved out of sight in part has the colours of what is there.
            if let place = scrollers.last?.frame(in: window),
                frame.y < place.y || frame.y + frame.height > place.y + place.height
            {
                return
            }
            // A label that lies in a button that is held may be told at its place of before: the button is looked at.
            let whole = held.last ?? label
            guard let frame = whole.frame(in: window) else { return }
            let contrast = picture.contrast(
                x: Int(frame.x), y: Int(frame.y), width: whole.width, height: whole.height)
            if let contrast, contrast < Self.leastContrast {
                complain("contrast \((contrast * 10).rounded() / 10)", label)
            }
        }

        // MARK: Colours

        private static func severity(of widget: Widget) -> Severity? {
            let isToned = ["risk", "mark", "verdict", "lid-head"].contains { widget.has(class: $0) }
            return isToned ? Severity.allCases.first { widget.has(class: $0.rawValue) } : nil
        }

        /// A colour stands beside an icon and a word.
        private mutating func checkWords(of widget: Widget, _ severity: Severity) {
            let all = widget.allMapped
            let words = all.filter(\.isLabel).map(\.text)
            if !all.contains(where: \.isDrawing) { complain("no icon for \(severity.rawValue)", widget) }
            let isNamed =
                widget.has(class: "mark")
                ? words.contains { !$0.isEmpty }
                : words.contains {
                    $0.hasPrefix(severity.word.plain)
                }
            if !isNamed { complain("no word for \(severity.rawValue)", widget) }
        }
    }

    extension Widget {
        func has(class name: String) -> Bool { use { gtk_widget_has_css_class($0, name) != 0 } }

        private func isA(_ type: GType) -> Bool {
            use {
                g_type_check_instance_is_a(
                    UnsafeMutableRawPointer($0).assumingMemoryBound(to: GTypeInstance.self), type)
            }
                != 0
        }

        /// Whether the library has made it for its own ends: frames, shadows, what moves others.
        fileprivate var isOfLibrary: Bool {
            let kind = g_type_name_from_instance(UnsafeMutablePointer(pointer)).map { String(cString: $0) } ?? ""
            return kind.hasSuffix("Gizmo") || ["AdwWindow", "GtkViewport"].contains(kind)
        }

        var isLabel: Bool { isA(gtk_label_get_type()) }
        var isScroller: Bool { isA(gtk_scrolled_window_get_type()) }
        var isDrawing: Bool { isA(gtk_drawing_area_get_type()) }
        var text: String { isLabel ? String(cString: gtk_label_get_text(pointer)) : "" }
        /// Whether nothing around it is insensitive either.
        var isInSensitive: Bool { use { gtk_widget_is_sensitive($0) != 0 } }

        /// It and all in it that is shown.
        var allMapped: [Widget] { isMapped ? [self] + children.flatMap(\.allMapped) : [] }

        /// Its pixels with border and padding, without margins.
        var allocation: (width: Int, height: Int) {
            use { (Int(gtk_widget_get_allocated_width($0)), Int(gtk_widget_get_allocated_height($0))) }
        }

        /// The pixels that it cannot do without in a direction, without margins.
        ///
        /// - Parameter across: the pixels that it has in the other direction; -1 for any.
        func least(_ direction: Box.Direction, across: Int) -> Int {
            let raw: UnsafeMutablePointer<GtkWidget> = typed()
            var style = GtkBorder()
            gtk_style_context_get_margin(gtk_widget_get_style_context(raw), &style)
            let (start, end) = (gtk_widget_get_margin_start(raw), gtk_widget_get_margin_end(raw))
            let (top, bottom) = (gtk_widget_get_margin_top(raw), gtk_widget_get_margin_bottom(raw))
            let wide = Int(start) + Int(end) + Int(style.left) + Int(style.right)
            let high = Int(top) + Int(bottom) + Int(style.top) + Int(style.bottom)
            let (along, other) = direction == .horizontal ? (wide, high) : (high, wide)
            let orientation = direction == .horizontal ? GTK_ORIENTATION_HORIZONTAL : GTK_ORIENTATION_VERTICAL
            var least: Int32 = 0
            let size = across < 0 ? -1 : Int32(across + other)
            gtk_widget_measure(raw, orientation, size, &least, nil, nil, nil)
            return Int(least) - along
        }

        func frame(in other: Widget) -> (x: Double, y: Double, width: Double, height: Double)? {
            var bounds = graphene_rect_t()
            guard gtk_widget_compute_bounds(typed(), other.typed(), &bounds) != 0 else { return nil }
            return (
                Double(bounds.origin.x), Double(bounds.origin.y), Double(bounds.size.width), Double(bounds.size.height)
            )
        }

        /// Its kind, its name, and the first words in it.
        fileprivate var summary: String {
            let kind = g_type_name_from_instance(UnsafeMutablePointer(pointer)).map { String(cString: $0) } ?? ""
            let words = allMapped.lazy.map(\.text).first { !$0.isEmpty } ?? ""
            return "\(kind) \(name == kind ? "" : name) “\(words.prefix(40))”"
        }
    }

    extension Snapshot {
        /// How far the pixels of a part are from the most frequent one of it, at the most, as WCAG 2.1 measures it; nil
        /// where all of it has one colour.
        func contrast(x: Int, y: Int, width: Int, height: Int) -> Double? {
            var counts: [UInt32: Int] = [:]
            for row in max(y, 0)..<max(min(y + height, self.height), max(y, 0)) {
                for column in max(x, 0)..<max(min(x + width, self.width), max(x, 0)) {
                    let color = color(x: column, y: row)
                    counts[UInt32(color.red) << 16 | UInt32(color.green) << 8 | UInt32(color.blue), default: 0] += 1
                }
            }
            guard counts.count > 1, let ground = counts.max(by: { $0.value < $1.value })?.key else { return nil }
            let light = Self.luminance(ground)
            return counts.keys.map { color in
                let other = Self.luminance(color)
                return (max(light, other) + 0.05) / (min(light, other) + 0.05)
            }.max()
        }

        private static func luminance(_ color: UInt32) -> Double {
            let parts = [16, 8, 0].map { shift -> Double in
                let part = Double(color >> shift & 0xff) / 255
                return part <= 0.03928 ? part / 12.92 : pow((part + 0.055) / 1.055, 2.4)
            }
            return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]
        }
    }
#endif

/// A colour by hue, saturation and lightness.
///
/// Source: CSS Color Module Level 3, section 4.2.4.
struct HSL {
    /// Turns; whole ones count for nothing.
    var hue: Double
    /// 0 to 1; what lies beyond is taken for the nearest of them, as browsers do.
    var saturation, lightness: Double

    /// Red, green and blue, 0 to 1.
    var components: (red: Double, green: Double, blue: Double) {
        let (s, l) = (Self.clamp(saturation), Self.clamp(lightness))
        let upper = l <= 0.5 ? l * (s + 1) : l + s - l * s
        let range = (lower: 2 * l - upper, upper: upper)
        let sixths = 6 * (hue > 1 ? hue - hue.rounded(.down) : hue)
        return (
            Self.component(range, sixths: sixths + 2), Self.component(range, sixths: sixths),
            Self.component(range, sixths: sixths - 2)
        )
    }

    /// The nearest colour of a screen.
    var rounded: Identicon.Color { color { ($0 * 255).rounded() } }

    /// The colour of a screen that is not brighter.
    var truncated: Identicon.Color { color { $0 * 255 } }

    private func color(_ scaled: (Double) -> Double) -> Identicon.Color {
        let (red, green, blue) = components
        return Identicon.Color(
            red: UInt8(min(max(scaled(red), 0), 255)), green: UInt8(min(max(scaled(green), 0), 255)),
            blue: UInt8(min(max(scaled(blue), 0), 255)))
    }

    private static func clamp(_ value: Double) -> Double { min(max(value, 0), 1) }

    private static func component(_ range: (lower: Double, upper: Double), sixths: Double) -> Double {
        let sixths = sixths < 0 ? sixths + 6 : sixths > 6 ? sixths - 6 : sixths
        let span = range.upper - range.lower
        if sixths < 1 { return range.lower + span * sixths }
        if sixths < 3 { return range.upper }
        return sixths < 4 ? range.lower + span * (4 - sixths) : range.lower
    }
}

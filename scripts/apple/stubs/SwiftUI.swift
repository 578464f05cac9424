// A stub, see README.md: the few views of Examples/ios-app.
import Foundation

/// Source: developer.apple.com/documentation/swiftui/view
@MainActor @preconcurrency public protocol View {
    associatedtype Body: View
    @ViewBuilder @MainActor @preconcurrency var body: Body { get }
}

extension Never: View {
    public var body: Never { return fatalError() }
}

extension Optional: View where Wrapped: View {
    public var body: Never { return fatalError() }
}

/// Source: developer.apple.com/documentation/swiftui/viewbuilder
@resultBuilder public struct ViewBuilder {
    public static func buildBlock<each Content: View>(_ content: repeat each Content) -> some View {
        EmptyView()
    }
    public static func buildIf<Content: View>(_ content: Content?) -> Content? { content }
    public static func buildEither<First: View, Second: View>(first: First) -> Choice<First, Second> { fatalError() }
    public static func buildEither<First: View, Second: View>(second: Second) -> Choice<First, Second> { fatalError() }
}

/// What stands for the framework's own type of a condition.
public struct Choice<First: View, Second: View>: View {
    public var body: Never { return fatalError() }
}

public struct EmptyView: View {
    nonisolated public init() {}
    public var body: Never { return fatalError() }
}

/// Source: developer.apple.com/documentation/swiftui/app
@MainActor @preconcurrency public protocol App {
    associatedtype Body: Scene
    @MainActor @preconcurrency init()
    @MainActor @preconcurrency var body: Body { get }
}

extension App {
    @MainActor public static func main() { fatalError() }
}

@MainActor @preconcurrency public protocol Scene {}

public struct WindowGroup<Content: View>: Scene {
    public init(@ViewBuilder content: @escaping () -> Content) { fatalError() }
}

/// Source: developer.apple.com/documentation/swiftui/state
@propertyWrapper public struct State<Value> {
    public init(wrappedValue value: Value) { fatalError() }
    public var wrappedValue: Value {
        get { fatalError() }
        nonmutating set { fatalError() }
    }
    public var projectedValue: Binding<Value> { fatalError() }
}

/// Source: developer.apple.com/documentation/swiftui/binding
@propertyWrapper @dynamicMemberLookup public struct Binding<Value> {
    public init(get: @escaping () -> Value, set: @escaping (Value) -> Void) { fatalError() }
    public var wrappedValue: Value {
        get { fatalError() }
        nonmutating set { fatalError() }
    }
    public subscript<Subject>(dynamicMember path: WritableKeyPath<Value, Subject>) -> Binding<Subject> {
        fatalError()
    }
}

// MARK: Views. Source: developer.apple.com/documentation/swiftui

public struct Text: View {
    public init<S: StringProtocol>(_ content: S) { fatalError() }
    public var body: Never { return fatalError() }
}

public struct Button<Label: View>: View {
    public init(_ title: String, action: @escaping @MainActor () -> Void) where Label == Text { fatalError() }
    public var body: Never { return fatalError() }
}

public struct TextField<Label: View>: View {
    public init(_ title: String, text: Binding<String>) where Label == Text { fatalError() }
    public var body: Never { return fatalError() }
}

public struct Form<Content: View>: View {
    public init(@ViewBuilder content: () -> Content) { fatalError() }
    public var body: Never { return fatalError() }
}

public struct Section<Content: View>: View {
    public init(_ title: String, @ViewBuilder content: () -> Content) { fatalError() }
    public var body: Never { return fatalError() }
}

public struct NavigationStack<Root: View>: View {
    public init(@ViewBuilder root: () -> Root) { fatalError() }
    public var body: Never { return fatalError() }
}

extension View {
    public func navigationTitle<S: StringProtocol>(_ title: S) -> some View { self }
    public func disabled(_ disabled: Bool) -> some View { self }
    public func task(_ action: @escaping @MainActor @Sendable () async -> Void) -> some View { self }
}

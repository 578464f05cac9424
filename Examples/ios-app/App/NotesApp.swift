import SwiftUI

/// One note that is sealed on this device, a server that lets in genuine copies of this app alone, and pictures from
/// strangers that are opened elsewhere.
@main
struct NotesApp: App {
    @State private var model = NotesModel()

    var body: some Scene {
        WindowGroup { NotesView(model: model) }
    }
}

struct NotesView: View {
    let model: NotesModel
    @State private var text = ""

    var body: some View {
        NavigationStack {
            Form {
                Section("A note on this device") {
                    TextField("Note", text: $text)
                    Button("Seal it") { run { try await model.seal(text) } }
                    Button("Open it") { run { text = try await model.open() } }
                }
                Section("The server") {
                    Button("Connect") { run { try await model.connect() } }
                }
                Section("A picture from a stranger") {
                    Button("Measure it") { run { try await model.measurePicture() } }
                }
                Section("What happened") {
                    Text(model.line)
                    if model.isTrusted {
                        Text("The validator vouches for this app.")
                    } else {
                        Text("The validator does not vouch for this app: nothing is opened.")
                    }
                }
            }
            .navigationTitle("Notes")
            .task { await model.validate() }
        }
    }

    private func run(_ action: @escaping @MainActor @Sendable () async throws -> Void) {
        Task { await model.tell(action) }
    }
}

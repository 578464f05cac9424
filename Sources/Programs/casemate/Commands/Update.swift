import ArgumentParser
import Console
import InstalledSigner
import Signer
import Substrate

struct Update: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "update",
        abstract: "Show an update of networks, metadata or types, ask, and take it in.",
        discussion: """
            Reads the picture, film or file that whoever keeps networks up to date has made, and shows who signed it, \
            what is new field by field, and what would be removed first. A network follows the general verifier, a \
            verifier of its own, or nobody yet; what a network's verifier has not signed is refused. Nothing is \
            written before a yes.

              casemate update --qr kusama-metadata.mov  metadata, from a film of the code
              casemate network list                     what is here, and whom it follows
            """)

    @OptionGroup var payload: PayloadOptions

    @Flag(help: "Do not ask: for scripts that have looked at 'casemate inspect --json' themselves.")
    var yes = false

    @OptionGroup var options: OpeningOptions

    func run() throws {
        let bytes = try payload.read()
        var opened = try options.open()
        opened.metadataExpander = payload.pictures.expander
        let proposal = try opened.propose(bytes)
        guard case .update(let preview) = proposal.answer.action else {
            try opened.dropPending()
            throw Failure.notAnUpdate
        }
        let decision = Decision(answer: proposal.answer, printsJSON: options.output.json)
        decision.show(asking: !yes)
        try opened.orDropPending {
            if !yes { _ = try opened.whileWaiting { try decision.ask("Take this in?") } }
            try opened.acceptUpdate(proposal)
        }
        if options.output.json { return try options.output.printJSON(UpdateJSON(preview)) }
        print(Style.output.good("Taken in.") + " " + Self.next(preview))
    }

    private static func next(_ preview: UpdatePreview) -> String {
        switch preview.content {
        case .network(let specs) where preview.isNewNetwork:
            "Next: its metadata, by casemate update; keys in it, by casemate key derive SEED \(specs.pathID) --network \(specs.name)"
        case .network, .types: "See: casemate network list"
        case .metadata: "Transactions of this version can be read now."
        }
    }
}

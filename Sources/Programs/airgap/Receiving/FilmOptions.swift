import AirgapLink
import ArgumentParser

/// How much a film may cost.
struct FilmOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Minutes of work that a film may take; pictures and pixels in proportion.",
            discussion: "Each minute stands for 100000 pictures and 16 Gi pixels. Cameras have no end.",
            valueName: "minutes"))
    var filmMinutes = FilmBudget.defaultMinutes

    func validate() throws {
        guard FilmBudget.minutes.contains(filmMinutes) else {
            throw ValidationError(
                "--film-minutes \(filmMinutes): give \(FilmBudget.minutes.lowerBound) to \(FilmBudget.minutes.upperBound)."
            )
        }
    }

    var budget: FilmBudget { FilmBudget(minutes: filmMinutes) }
}

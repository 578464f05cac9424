import StrictJSON

/// JSON as programs read it, and not as known answers are.
typealias JSON = StrictJSON.JSON

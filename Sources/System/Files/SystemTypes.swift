// A path, a descriptor and the facts of a file are swift-system's types: whoever imports this room can name them.
@_exported public import SystemPackage

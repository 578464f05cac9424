import Identicons

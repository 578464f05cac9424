print("bench-wire")

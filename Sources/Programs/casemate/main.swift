print("casemate")

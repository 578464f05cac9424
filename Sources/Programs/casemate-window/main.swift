print("casemate-window")

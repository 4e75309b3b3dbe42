@kubectl-jobctl __complete %* <nul 2>nul

"""What a running server tells those who host it: metrics, logs, traces, readiness and the team's figures. Never what was pasted."""

"""What a running server reports to its operators: metrics, logs, traces, readiness and the team's figures. No pasted text."""

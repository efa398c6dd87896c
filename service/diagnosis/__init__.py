"""From text and facts to an answer: candidates, causes, confidence, fixes. Every door calls ``diagnoser``."""

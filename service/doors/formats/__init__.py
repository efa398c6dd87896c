"""An answer in formats for other places: Markdown, GitHub's annotations, SARIF; and the words that all renderers share."""

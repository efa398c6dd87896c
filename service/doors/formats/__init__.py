"""An answer in the forms that go elsewhere: Markdown, GitHub's annotations, SARIF; and the words that all renderers share."""

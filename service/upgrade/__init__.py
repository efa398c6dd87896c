"""``tfhelp upgrade``: what a script uses that a release lacks, and the edits that make the script run there."""

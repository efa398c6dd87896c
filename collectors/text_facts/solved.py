"""Whether the user reports a solution: ``I fixed it by lowering the learning rate``, ``Solved. Thanks!``.

>>> from tfhelp.collectors.text_facts.statements import values_of
>>> values_of(read, "The GPU was not found. Solved: I had installed tensorflow-cpu.")
{'log.told_solved': True}
>>> values_of(read, "It was resolved by updating the driver."), values_of(read, "now everything works again, thanks")
({'log.told_solved': True}, {'log.told_solved': True})
>>> values_of(read, "How can this be solved?"), values_of(read, "I solved the import, but now fit hangs.")
({}, {})

A question, or a word that brings a complaint back (but, still, now I get), means that something is left.
"""

from tfhelp.collectors.lazy_pattern import Pattern
from tfhelp.collectors.text_facts.reader import Lines, reads
from tfhelp.collectors.text_facts.statements import PROSE, Statements

_MOST_LINES = 60  # a longer text is not only somebody's report
_SOLVED = Pattern(
    r"(?:^|[.!:;,-] ?)(?:(?:update|edit|edited)\W{1,3})?(?:problem |issue )?(?:solved|fixed|resolved)(?: it| this| that)?(?:[.!:,;]|$| by | with | after )"
    r"|\b(?:i|we)(?:'ve| have)? (?:finally |just |now |already )?(?:solved|fixed|resolved) (?:it|this|that|the (?:problem|issue|error|bug)|my (?:problem|issue))\b"
    r"|\b(?:problem|issue|error|bug|it|this|that|which|oom|crash|hang|warning)s? (?:is|was|were|got|has been|is now|are) (?:now |finally )?(?:solved|resolved|fixed (?:by|now|with|after|when))\b"
    r"|\b(?:was|were|is|got|been) (?:now |finally )?(?:solved|resolved) (?:by|after|with|when)\b"
    r"|\b(?:solved|fixed|resolved) (?:the|my|this) (?:\w{1,30} )?(?:problem|issue|error|bug) (?:for me|by|with)\b"
    r"|\bnow (?:everything|it|all|training|that) (?:works|runs|is working|is fine|trains)(?: again| fine| well| perfectly)?(?:[.!,]|$)"
    r"|\b(?:works|working|runs|recogni[sz]ed|detected) (?:again|fine) now(?:[.!,]|$)|\bit works now(?:[.!,]|$)|\b(?:is|are|looks?|was) (?:all )?(?:fine|good|gone|correct) now(?:[.!,]|$)",
    one_of=("solved", "fixed", "now"),
)
_LEFT = Pattern(
    r"\?|\b(?:but|still|however|although|though|yet|unfortunately|how (?:do|can|to)|any (?:idea|help|hint)|please|again and again|"
    r"now (?:i|we) (?:get|have|see)|now there|another (?:error|problem|issue)|new (?:error|problem|issue)|"
    r"(?:not|never|cannot|can't|isn't|wasn't|couldn't|hasn't|didn't) (?:been |be |get |really |fully )?(?:solved|fixed|resolved|fix|solve|resolve))\b"
)


@reads(words="fixed now resolved solved", says=("log.told_solved",))
def read(lines: Lines, at: list[int], said: Statements) -> None:
    """State that the user reports a solution, if a sentence says so and none says that something is left."""
    if len(lines) > _MOST_LINES:
        return
    for number in at:
        if _SOLVED.search(lines[number].lower()):
            if not any(_LEFT.search(line.lower()) for line in lines):
                said.say("log.told_solved", True, number, PROSE)
            return

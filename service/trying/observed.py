"""One observed run for an experiment, in its own process.

Usage: ``python -P -m tfhelp.service.trying.observed SPECIFICATION COMMAND...``

It is started inside the scratch folder and writes its observations as one JSON document. The program's output goes nowhere else.
"""

import glob
import json
import os
import sys
import typing

from tfhelp.collectors.run.child import StartError
from tfhelp.kb.whole_file import write_whole
from tfhelp.service.run.folder import RunFolder
from tfhelp.service.run.watched_run import WatchedRun

Json = dict[str, typing.Any]


class _Run(WatchedRun):
    """A watched run with different environment variables; it ends a program that hangs."""

    def __init__(self, command: list[str], folder: RunFolder, specification: Json) -> None:
        hooks = (
            "stacks",
            *(("learning",) if specification["learning"] else ()),
            *(("experiment",) if specification["hook"] else ()),
        )
        super().__init__(command, folder, hooks)
        self._specification = specification
        self.hung_answer: Json | None = None

    def _environment(self, place: str | None) -> dict[str, str]:
        environment = super()._environment(place)
        for name, value in self._specification["variables"].items():
            environment.pop(name, None)
            if value is not None:
                environment[name] = value
        if self._specification["hook"]:
            environment["TFHELP_EXPERIMENT"] = self._specification["hook"]
        return environment

    def end_hang(self) -> None:
        """Handle a hang: keep what is known about it, and end the program with all its processes."""
        import psutil

        self.hung_answer = self._document(hung=True)
        try:
            program = psutil.Process(self.observation.child.pid)
            processes = [*program.children(recursive=True), program]
        except psutil.NoSuchProcess:  # it has ended in the meantime
            return
        for process in processes:
            try:
                process.kill()
            except psutil.Error:
                continue

    def document(self) -> Json:
        """The observations, after its end."""
        if self.hung_answer is not None:
            return self.hung_answer
        return self._document(hung=False)

    def _document(self, hung: bool) -> Json:
        well = not hung and self.ended_well()
        answer = None if well else self.diagnose(hung)
        facts = self.facts(hung)
        hidden = "" if well else self.hidden_text(facts["run"].get("waits_in") if hung else None)
        return {
            "ended": "hung" if hung else "well" if well else "badly",
            "exit_code": None if hung else self.observation.child.exit_code,
            "text": self.text() + hidden,
            "answer": answer,
            "facts": facts,
            "collected": None if well or self.folder is None else self.folder.read_json("collected.json"),
            "found": self._found(),
        }

    def _found(self) -> Json:
        """What the change inside the program recorded, from all its processes."""
        found: Json = {}
        for path in sorted(glob.glob(os.path.join(self.folder.file("processes") if self.folder else "", "experiment-*.json"))):
            with open(path, encoding="utf-8") as file:
                found = {**json.load(file), **found}
        return found


def main(arguments: list[str]) -> int:
    """Run the command and write the document."""
    specification, *command = arguments
    wanted: Json = json.loads(specification)
    run = _Run(command, RunFolder.make(1), wanted)
    try:
        run.watch(wanted["hang_after"], run.end_hang)
    except StartError as error:
        print(error, file=sys.stderr)
        return error.exit_status
    write_whole(wanted["result"], json.dumps(run.document()).encode())
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

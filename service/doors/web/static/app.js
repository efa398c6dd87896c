// What a script makes easier. Everything works without it.
"use strict";

(function () {
  const form = document.getElementById("ask");
  const text = document.getElementById("text");
  const message = document.getElementById("file-message");

  for (const note of document.querySelectorAll(".with-script")) note.hidden = false;

  for (const snippet of document.querySelectorAll(".snippet")) {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "copy";
    button.textContent = "Copy";
    button.addEventListener("click", () => copy(snippet.querySelector("code"), button));
    snippet.querySelector(".snippet-bar").append(button);
  }

  function copy(code, button) {
    const said = (word) => {
      button.textContent = word;
      setTimeout(() => { button.textContent = "Copy"; }, 1600);
    };
    // The clipboard exists on https and on this machine only; elsewhere the snippet is selected for Ctrl+C.
    if (navigator.clipboard) {
      navigator.clipboard.writeText(code.textContent).then(() => said("Copied"), () => select(code, said));
    } else {
      select(code, said);
    }
  }

  function select(code, said) {
    getSelection().selectAllChildren(code);
    said("Selected");
  }

  if (!form) return;

  const say = (sentence) => {
    message.textContent = sentence;
    message.hidden = false;
  };

  form.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) form.requestSubmit();
  });

  form.addEventListener("submit", () => {
    document.getElementById("submit").textContent = "Looking\u2026";
  });
  window.addEventListener("pageshow", () => {
    document.getElementById("submit").textContent = "Find the cause";
  });

  const carriesFiles = (event) => event.dataTransfer && Array.from(event.dataTransfer.types).includes("Files");
  text.addEventListener("dragover", (event) => {
    if (!carriesFiles(event)) return;
    event.preventDefault();
    text.classList.add("dropping");
  });
  for (const end of ["dragleave", "drop", "dragend"]) {
    text.addEventListener(end, () => text.classList.remove("dropping"));
  }
  text.addEventListener("drop", (event) => {
    if (!carriesFiles(event)) return;
    event.preventDefault();
    take(event.dataTransfer.files[0]);
  });

  async function take(file) {
    if (!file) return;
    if (file.size > Number(form.dataset.maxBytes)) {
      say(`${file.name} is larger than ${form.dataset.maxSize}. The command line takes it: tfhelp ask -f FILE`);
      return;
    }
    text.value = decode(await file.arrayBuffer());
    say(`${file.name} is in the text field now.`);
  }

  // UTF-16 with its mark is what PowerShell's > writes.
  function decode(buffer) {
    const first = new Uint8Array(buffer.slice(0, 2));
    const mark = first.length === 2 ? first[0] * 256 + first[1] : 0;
    const encoding = mark === 0xfffe ? "utf-16le" : mark === 0xfeff ? "utf-16be" : "utf-8";
    return new TextDecoder(encoding).decode(buffer);
  }
})();

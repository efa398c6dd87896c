// What a script makes easier. Everything works without it.
"use strict";

(function () {
  const form = document.getElementById("ask");
  const text = document.getElementById("text");
  const file = document.getElementById("file");
  const message = document.getElementById("file-message");

  for (const part of document.querySelectorAll(".with-script")) part.hidden = false;

  for (const snippet of document.querySelectorAll(".snippet")) {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "copy";
    button.textContent = "Copy";
    button.addEventListener("click", () => copy(snippet.querySelector("code"), button));
    snippet.querySelector(".snippet-bar").append(button);
  }

  function copy(code, button, words) {
    const before = button.dataset.label || (button.dataset.label = button.textContent);
    const said = (word) => {
      button.textContent = word;
      setTimeout(() => { button.textContent = before; }, 1600);
    };
    const select = () => {
      if (!code) return;
      for (let part = code.closest("details"); part; part = part.parentElement.closest("details")) part.open = true;
      getSelection().selectAllChildren(code);
      said("Selected");
    };
    // The clipboard exists on https and on this machine only; elsewhere the text is selected for Ctrl+C.
    if (navigator.clipboard) {
      navigator.clipboard.writeText(words || code.textContent).then(() => said("Copied"), select);
    } else {
      select();
    }
  }

  const link = document.getElementById("copy-link");
  if (link) {
    if (!navigator.clipboard) link.hidden = true;
    link.addEventListener("click", () => copy(null, link, location.origin + location.pathname));
  }
  const markdown = document.getElementById("copy-markdown");
  if (markdown) markdown.addEventListener("click", () => copy(document.querySelector(".markdown code"), markdown));

  // What is folded is printed too.
  addEventListener("beforeprint", () => {
    for (const part of document.querySelectorAll(".answer details:not([open])")) {
      part.open = true;
      part.dataset.folded = "yes";
    }
  });
  addEventListener("afterprint", () => {
    for (const part of document.querySelectorAll("details[data-folded]")) {
      part.open = false;
      delete part.dataset.folded;
    }
  });

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
  addEventListener("pageshow", () => {
    document.getElementById("submit").textContent = "Find the cause";
  });

  // A file may be dropped anywhere: beside the field a browser would leave the page to open it.
  const carriesFiles = (event) => event.dataTransfer && Array.from(event.dataTransfer.types).includes("Files");
  addEventListener("dragover", (event) => {
    if (!carriesFiles(event)) return;
    event.preventDefault();
    text.classList.add("dropping");
  });
  addEventListener("dragleave", (event) => {
    if (!event.relatedTarget) text.classList.remove("dropping");
  });
  addEventListener("drop", (event) => {
    text.classList.remove("dropping");
    if (!carriesFiles(event)) return;
    event.preventDefault();
    if (event.dataTransfer.files.length) take(event.dataTransfer);
  });

  // The file goes where a chosen one goes: its text never stands in the page, however long it is.
  function take(dropped) {
    const one = new DataTransfer();
    one.items.add(dropped.files[0]);
    file.files = one.files;
    tell();
  }

  function tell() {
    const chosen = file.files[0];
    if (!chosen) {
      message.hidden = true;
      return;
    }
    const long = chosen.size > Number(form.dataset.maxBytes);
    say(`${chosen.name}, ${size(chosen.size)}, is chosen.${long ? " It is long: its start and its end will be read." : ""}`);
  }
  file.addEventListener("change", tell);

  function size(count) {
    if (count < 1000) return `${count} bytes`;
    if (count < 1e6) return `${(count / 1000).toFixed(1)} KB`;
    return `${(count / 1e6).toFixed(1)} MB`;
  }
})();

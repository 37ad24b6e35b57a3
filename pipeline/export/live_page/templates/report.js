// Brings the page to life: each pass when it is opened, findings when they are clicked.

const page = (() => {
  const data = JSON.parse(document.getElementById("contents").textContent);
  const maps = new Maps(data.maps);
  const bytes = (text) => Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  return {
    passes: data.passes,
    files: data.files,
    textures: data.textures.map((each) => new Texture(each, maps)),
    colours: {signed: bytes(data.colours.signed), unsigned: bytes(data.colours.unsigned)},
    fail: (error) => {
      const told = document.getElementById("problem");
      told.textContent = `This browser could not show a part of the page: ${error.message}`;
      told.hidden = false;
    },
  };
})();

const inspectors = new Map();
for (const root of document.querySelectorAll(".live")) {
  const position = Number(root.dataset.pass), details = root.closest("details");
  inspectors.set(position, new Inspector(root, page.passes[position], page));
  const open = () => details.open && inspectors.get(position).open().catch(page.fail);
  details.addEventListener("toggle", open);
  open();
}

for (const each of document.querySelectorAll("button.to-finding")) {
  each.hidden = false;
  each.addEventListener("click", () => {
    each.closest("details").open = true;
    inspectors.get(Number(each.dataset.pass)).showFinding(Number(each.dataset.file), Number(each.dataset.line)).catch(page.fail);
  });
}

// A link to a pass opens it.
function openLinked() {
  const linked = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  const details = linked?.closest("details");
  if (!details) return;
  details.open = true;
  details.scrollIntoView();
}
window.addEventListener("hashchange", openLinked);
window.addEventListener("resize", () => inspectors.forEach((each) => each.resized()));
openLinked();
document.body.dataset.state = "alive";

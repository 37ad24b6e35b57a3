// Brings the page to life: each pass when it is opened, findings when they are clicked.

function readPage() {
  const data = JSON.parse(document.getElementById("contents").textContent), maps = new Maps(data.maps);
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
}

function inspect(page, root) {
  const inspector = new Inspector(root, page.passes[Number(root.dataset.pass)], page);
  const details = root.closest("details"), open = () => details.open && inspector.open().catch(page.fail);
  details.addEventListener("toggle", open);
  open();
  return inspector;
}

function start() {
  const page = readPage();
  const inspectors = Array.from(document.querySelectorAll(".live"), (root) => inspect(page, root));
  for (const each of document.querySelectorAll("button.to-finding")) {
    const {pass, file, line} = each.dataset;
    each.hidden = false;
    each.addEventListener("click", () => {
      inspectors[Number(pass)].showFinding(Number(file), Number(line)).catch(page.fail);
    });
  }
  window.addEventListener("resize", () => inspectors.forEach((each) => each.resized()));
  window.addEventListener("texelscope-show", ({detail}) => showFromOutside(inspectors, detail).catch(page.fail));
  window.addEventListener("hashchange", openLinked);
  openLinked();
  document.body.dataset.state = "alive";
}

// An editor that shows the page asks for a pass, and for a texel of it or null; `stays` leaves the page where it is.
async function showFromOutside(inspectors, {pass, texel, stays}) {
  const inspector = inspectors.find((each) => each.data.name === pass);
  if (!inspector) return;
  await inspector.show(texel);
  if (!stays) inspector.root.closest("details").scrollIntoView();
}

// A link to a pass opens it.
function openLinked() {
  const details = document.getElementById(decodeURIComponent(location.hash.slice(1)))?.closest("details");
  if (!details) return;
  details.open = true;
  details.scrollIntoView();
}

start();

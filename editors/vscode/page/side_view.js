// Runs in the report, beside its own script: tells the editor of picks, follows its colours, and keeps the place.

(() => {
  // So long a page may take to fill, in milliseconds.
  const FILLING = 4000;
  const editor = acquireVsCodeApi();
  const shown = JSON.parse(document.currentScript.dataset.shown);
  const passes = Array.from(document.querySelectorAll("main > details"));

  window.addEventListener("texelscope-pick", ({detail}) => editor.postMessage({kind: "pick", ...detail}));

  // VS Code writes the kind of its theme on the body. The report's colours follow the scheme of the root.
  function followTheme() {
    const isLight = (document.body.dataset.vscodeThemeKind ?? "").endsWith("light");
    document.documentElement.style.colorScheme = isLight ? "light" : "dark";
  }
  new MutationObserver(followTheme).observe(document.body, {attributeFilter: ["data-vscode-theme-kind"]});
  followTheme();
  document.body.style.padding = "0"; // the report has its own, VS Code would add to it

  // The editor keeps the state of a page that is made anew, after a save and when the panel was hidden.
  function keep() {
    const open = passes.flatMap((each, i) => (each.open ? [i] : []));
    editor.setState({of: shown.of, open, top: window.scrollY});
  }

  function keepFromNowOn() {
    window.addEventListener("scroll", keep);
    for (const each of passes) each.addEventListener("toggle", keep);
  }

  // Holds the same place while the page fills, until a person takes over.
  function restore({open, top}) {
    passes.forEach((each, i) => {
      each.open = open.includes(i);
    });
    const filling = new ResizeObserver(() => window.scrollTo(0, top));
    const byHand = ["wheel", "pointerdown", "keydown"];
    const timer = setTimeout(done, FILLING);
    function done() {
      clearTimeout(timer);
      filling.disconnect();
      for (const each of byHand) window.removeEventListener(each, done);
      keepFromNowOn();
    }
    for (const each of byHand) window.addEventListener(each, done);
    filling.observe(document.body);
  }

  const kept = editor.getState(), stays = kept?.of === shown.of, {pass, texel} = shown;
  if (pass !== null) window.dispatchEvent(new CustomEvent("texelscope-show", {detail: {pass, texel, stays}}));
  if (stays) restore(kept);
  else keepFromNowOn();
})();

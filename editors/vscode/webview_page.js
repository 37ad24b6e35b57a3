// Turns a report of Texelscope into the page of a webview: the same page, and a script that speaks with the editor.

const crypto = require("crypto");
const fs = require("fs");
const path = require("path");

const SCRIPT = fs.readFileSync(path.join(__dirname, "page", "side_view.js"), "utf8");
const POLICY = /<meta http-equiv="Content-Security-Policy" content="([^"]*)">/;

// `shown` says what the page is `of`, and what it shows first: a `pass` and a `texel` of it, which may be null.
//
// The report's own policy stays: nothing is loaded, and its script runs by its hash. The editor's script is let in by a
// nonce. Throws an Error for a page without a policy, which is none of Texelscope's.
function webviewPage(html, shown) {
  const nonce = crypto.randomBytes(16).toString("base64url");
  const policy = POLICY.exec(html)?.[1];
  if (!policy?.includes("script-src ")) {
    throw new Error("The report is not a page of Texelscope: it has no policy for scripts. Update the server.");
  }
  const added = policy.replace("script-src ", `script-src 'nonce-${nonce}' `);
  const script = `<script nonce="${nonce}" data-shown="${escaped(JSON.stringify(shown))}">${SCRIPT}</script>`;
  const end = html.lastIndexOf("</body>");
  return html.slice(0, end).replace(policy, () => added) + script + html.slice(end);
}

// A page of one sentence, for the time until there is a report.
function sentencePage(sentence) {
  return `<!DOCTYPE html><html lang="en"><head><meta charset="utf-8">`
    + `<meta http-equiv="Content-Security-Policy" content="default-src 'none'"></head>`
    + `<body><p>${escaped(sentence)}</p></body></html>`;
}

function escaped(text) {
  const names = {"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;"};
  return text.replace(/[&<>"]/g, (letter) => names[letter]);
}

module.exports = {sentencePage, webviewPage};

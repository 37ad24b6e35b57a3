// One engine in headless Chromium, told what to do a line at a time on standard input; answers are lines of JSON.
//
//   node drive.mjs PACKAGES PAGE MODEL CHROMIUM ANGLE
//
// PACKAGES is the folder of node_modules and of the bundled pages, PAGE the one to open, MODEL a folder with the model.
// The first answer comes when the first result is there: `first_ms` counts from the launch of the browser. Then 'run'
// runs once and tells how long that took in the page, output read back; 'output' gives the last one in base64.

import fs from 'node:fs';
import http from 'node:http';
import path from 'node:path';
import readline from 'node:readline';
import { createRequire } from 'node:module';

const [packages, page, model, executablePath, angle] = process.argv.slice(2);
const { chromium } = createRequire(path.join(packages, 'package.json'))('playwright-core');
const TYPES = { '.html': 'text/html', '.js': 'text/javascript', '.mjs': 'text/javascript', '.wasm': 'application/wasm' };

// Threads in WebAssembly share memory, which a page may only with these two.
const HEADERS = { 'Cross-Origin-Opener-Policy': 'same-origin', 'Cross-Origin-Embedder-Policy': 'require-corp' };

function file(url) {
  const name = decodeURIComponent(new URL(url, 'http://localhost').pathname);
  return name.startsWith('/model/') ? path.join(model, path.basename(name)) : path.join(packages, path.normalize(name));
}

const server = http.createServer((request, response) => {
  const type = TYPES[path.extname(request.url)] ?? 'application/octet-stream';
  if (request.url === '/') {
    response.writeHead(200, { ...HEADERS, 'Content-Type': 'text/html' });
    response.end(`<!DOCTYPE html><meta charset="utf-8"><link rel="icon" href="data:,"><script src="/${page}.js"></script>`);
    return;
  }
  const stream = fs.createReadStream(file(request.url));
  stream.on('open', () => { response.writeHead(200, { ...HEADERS, 'Content-Type': type }); stream.pipe(response); });
  stream.on('error', () => { response.writeHead(404); response.end(); });
});
await new Promise((ready) => server.listen(0, '127.0.0.1', ready));

const started = performance.now();
const browser = await chromium.launch({
  executablePath,
  headless: false, // the argument below: Chromium's own new headless mode, with its GPU process
  args: [
    '--headless=new', '--no-sandbox', '--use-gl=angle', `--use-angle=${angle}`, '--ignore-gpu-blocklist',
    '--enable-unsafe-swiftshader', '--disable-quic', '--no-first-run', '--disable-background-networking',
    '--disable-component-update', '--disable-sync',
  ],
});
const tab = await browser.newPage();
tab.on('pageerror', (error) => process.stderr.write(`${error}\n`));
await tab.goto(`http://localhost:${server.address().port}/`);
const about = await tab.evaluate(() => window.engine.start());
const say = (answer) => process.stdout.write(`${JSON.stringify(answer)}\n`);
say({ ...about, first_ms: performance.now() - started });

const RUN = async () => {
  const start = performance.now();
  await window.engine.run();
  return performance.now() - start;
};
const OUTPUT = () => {
  const values = window.engine.output(), bytes = new Uint8Array(values.buffer, values.byteOffset, values.byteLength);
  let text = '';
  for (let i = 0; i < bytes.length; i += 32768) text += String.fromCharCode(...bytes.subarray(i, i + 32768));
  return btoa(text);
};
for await (const line of readline.createInterface({ input: process.stdin })) {
  say(line === 'run' ? { ms: await tab.evaluate(RUN) } : { output: await tab.evaluate(OUTPUT) });
}
await browser.close();
server.close();

// Opens pages in headless Chromium, in light and dark, narrow and wide, and reports what a reader could not read.
//
//   node check.mjs [--pictures FOLDER] FILE ..
//
// One line for each view of a page, then 'N passed, N failed'. Exit codes: 0 all passed, 1 a view failed, 2 no browser.

import { mkdirSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import chromium from '@sparticuz/chromium';
import puppeteer from 'puppeteer-core';
import { findings } from './findings.mjs';

const WIDTHS = [360, 1280];
const SCHEMES = ['light', 'dark'];

const files = process.argv.slice(2);
let pictures;
if (files[0] === '--pictures') {
  pictures = files.splice(0, 2)[1];
  mkdirSync(pictures, { recursive: true });
}

let browser;
try {
  browser = await puppeteer.launch({
    executablePath: await chromium.executablePath(),
    args: ['--no-sandbox', '--disable-gpu', '--no-zygote', '--single-process'],
    headless: 'shell',
  });
} catch (error) {
  console.error(`report: there is no browser: ${error.message}`);
  process.exit(2);
}

const [passed, failed] = [[], []];
for (const file of files) {
  for (const scheme of SCHEMES) {
    for (const width of WIDTHS) {
      const name = `${basename(file, '.html')}, ${scheme}, ${width} pixels`;
      const found = await view(file, scheme, width);
      (found.length ? failed : passed).push(name);
      console.log(`${found.length ? 'FAILED' : 'ok'}  ${name}`);
      for (const one of found.slice(0, 40)) console.log(`        ${one}`);
    }
  }
}
await browser.close();
console.log(`${passed.length} passed, ${failed.length} failed`);
process.exit(failed.length || !passed.length ? 1 : 0);

async function view(file, scheme, width) {
  const page = await browser.newPage();
  const found = [];
  page.on('console', (message) => found.push(`the console says: ${message.text()}`));
  page.on('pageerror', (error) => found.push(`an error: ${error.message}`));
  const url = pathToFileURL(resolve(file)).href;
  page.on('request', (request) => {
    if (request.url() !== url) found.push(`it asks for ${request.url()}`);
  });
  await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: scheme }]);
  await page.setViewport({ width, height: 900 });
  await page.goto(url);
  // Also what is folded is read.
  await page.evaluate(() => document.querySelectorAll('details').forEach((one) => { one.open = true; }));
  found.push(...(await page.evaluate(findings)));
  if (pictures) {
    const path = `${pictures}/${basename(file, '.html')}-${scheme}-${width}.png`;
    const height = Math.min(await page.evaluate(() => document.documentElement.scrollHeight), 4000);
    await page.screenshot({ path, clip: { x: 0, y: 0, width, height }, captureBeyondViewport: true });
  }
  await page.close();
  return found;
}

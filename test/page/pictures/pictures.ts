import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Page } from "playwright-core";
import { blockFont } from "./blockFont.ts";

/** A picture is compared in squares of this many pixels: what moves by a pixel or two is the same. */
const square = 8;

/** How far the colour of a square may be from that of the reference, of 255. */
const colourTolerance = 40;

/** The share of squares that may be further away: a panel, a list or the strip of a run has more. */
export const pictureTolerance = 0.01;

/** Pictures are written instead of compared: `npm run page-pictures` sets it. */
const isWriting = process.env.TRACEFOLD_PICTURES === "write";

/** The first picture of a name is the reference. */
const written = new Set<string>();

/**
 * The share of squares in which a page differs from its reference. The text is made of blocks, so that fonts do not
 * matter. The page must be opened with `bypassCSP`, as it allows no fonts.
 */
export async function pictureDistance(page: Page, name: string): Promise<number> {
  const path = fileURLToPath(new URL(`references/${name}.png`, import.meta.url));
  await useBlockFont(page);
  const taken = dataUrl(await takeWhenStill(page));
  if (isWriting && !written.has(name)) {
    written.add(name);
    const { shrunk } = await page.evaluate(compare, [taken, null, square, colourTolerance] as const);
    writeFileSync(path, Buffer.from(shrunk.slice(shrunk.indexOf(",") + 1), "base64"));
  }
  if (!existsSync(path)) throw new Error(`no reference ${name}: npm run page-pictures makes it`);
  const reference = dataUrl(readFileSync(path));
  return (await page.evaluate(compare, [taken, reference, square, colourTolerance] as const)).distance;
}

/** Takes pictures until two are the same: all answers are there then. */
async function takeWhenStill(page: Page): Promise<Buffer> {
  // Whether the strip or the source was there first decides how far the source is scrolled.
  await page.evaluate(() => document.querySelector(".line.current")?.scrollIntoView({ block: "center" }));
  let before = await page.screenshot({ animations: "disabled" });
  for (let tries = 0; tries < 50; tries++) {
    const taken = await page.screenshot({ animations: "disabled" });
    if (taken.equals(before)) break;
    before = taken;
  }
  return before;
}

async function useBlockFont(page: Page): Promise<void> {
  await page.evaluate(async (font) => {
    if (document.getElementById("block-font") !== null) return;
    const style = document.createElement("style");
    style.id = "block-font";
    style.textContent = `
      @font-face { font-family: Blocks; src: url(data:font/ttf;base64,${font}); }
      *, *::before, *::after { font-family: Blocks !important; font-weight: normal !important; font-style: normal !important; }
    `;
    document.head.append(style);
    await document.fonts.load("12px Blocks");
    if (![...document.fonts].every(({ status }) => status === "loaded")) throw new Error("the font was not read");
    // The strip draws its text again.
    document.documentElement.dataset.font = "blocks";
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
  }, blockFont().toString("base64"));
}

function dataUrl(picture: Buffer): string {
  return `data:image/png;base64,${picture.toString("base64")}`;
}

/** Runs in the page: each square becomes a pixel with its mean colour, and is compared with that of the reference. */
async function compare([taken, reference, size, tolerance]: readonly [string, string | null, number, number]) {
  const pixelsOf = async (url: string) => {
    const image = new Image();
    image.src = url;
    await image.decode();
    const canvas = new OffscreenCanvas(image.width, image.height);
    const context = canvas.getContext("2d");
    if (context === null) throw new Error("no canvas");
    context.drawImage(image, 0, 0);
    return context.getImageData(0, 0, image.width, image.height);
  };
  const whole = await pixelsOf(taken);
  const small = new ImageData(Math.floor(whole.width / size), Math.floor(whole.height / size));
  for (let y = 0; y < small.height; y++)
    for (let x = 0; x < small.width; x++)
      for (let channel = 0; channel < 4; channel++) {
        let sum = 0;
        for (let i = 0; i < size * size; i++) {
          const [column, row] = [x * size + (i % size), y * size + Math.floor(i / size)];
          sum += whole.data[4 * (row * whole.width + column) + channel] ?? 0;
        }
        small.data[4 * (y * small.width + x) + channel] = Math.round(sum / size ** 2);
      }
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [small.width, small.height];
  canvas.getContext("2d")?.putImageData(small, 0, 0);
  const shrunk = canvas.toDataURL("image/png");
  if (reference === null) return { shrunk, distance: 1 };
  const before = await pixelsOf(reference);
  if (before.width !== small.width || before.height !== small.height) return { shrunk, distance: 1 };
  let different = 0;
  for (let at = 0; at < small.data.length; at += 4)
    if ([0, 1, 2].some((i) => Math.abs((small.data[at + i] ?? 0) - (before.data[at + i] ?? 0)) > tolerance))
      different++;
  return { shrunk, distance: different / (small.width * small.height) };
}

import { useEffect, useRef, useState } from "preact/hooks";
import type { Client } from "../client.ts";
import { type ShownPage, useAnswer } from "../pageState.ts";
import { visible } from "../report.ts";
import type { Strip } from "../strip.ts";

const rowHeight = 14;

/** The run from left to right: calls and loops as nested blocks, and the cursor. */
export function TimeStrip({ client, page }: { readonly client: Client; readonly page: ShownPage }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const length = client.head.lengths[0];
  const [range, setRange] = useState<readonly [number, number]>([0, length]);
  const [width, setWidth] = useState(800);
  const strip = useAnswer(() => client.ask("strip", range[0], range[1], width), [client, range[0], range[1], width]);
  const { state, actions, look } = page;
  const rows = (strip?.blocks ?? []).reduce((most, { depth }) => Math.max(most, depth + 1), 1);

  useEffect(() => {
    const element = canvas.current;
    if (element === null) return;
    const observer = new ResizeObserver(([entry]) =>
      setWidth(Math.max(200, Math.round(entry?.contentRect.width ?? 800))),
    );
    observer.observe(element);
    return () => observer.disconnect();
  }, []);

  useEffect(() => {
    const repaint = () => {
      if (canvas.current !== null && strip !== null) draw(canvas.current, strip, client, state.step, width, rows);
    };
    repaint();
    const dark = matchMedia("(prefers-color-scheme: dark)");
    dark.addEventListener("change", repaint);
    const observer = new MutationObserver(repaint);
    observer.observe(document.documentElement, { attributes: true });
    return () => {
      dark.removeEventListener("change", repaint);
      observer.disconnect();
    };
  }, [strip, client, state.step, width, rows]);

  const stepAt = (event: MouseEvent) => {
    const box = (event.currentTarget as HTMLElement).getBoundingClientRect();
    return Math.floor(range[0] + ((event.clientX - box.left) / box.width) * (range[1] - range[0]));
  };
  const zoom = (factor: number, around: number) => {
    const size = Math.min(length, Math.max(20, (range[1] - range[0]) * factor));
    const part = (around - range[0]) / Math.max(1, range[1] - range[0]);
    const from = Math.max(0, Math.min(length - size, around - size * part));
    setRange([Math.floor(from), Math.ceil(from + size)]);
  };
  const isZoomed = range[1] - range[0] < length;
  return (
    <section class="time" aria-label="time">
      <canvas
        ref={canvas}
        style={{ height: `${rows * rowHeight}px` }}
        role="slider"
        tabIndex={0}
        aria-label="time in the run"
        aria-valuemin={1}
        aria-valuemax={length}
        aria-valuenow={state.step + 1}
        aria-valuetext={`step ${state.step + 1 + client.head.first} in ${client.head.functions[look?.moment.function ?? -1] ?? "the run"}`}
        onClick={(event) => actions.goTo(stepAt(event))}
        onWheel={(event) => {
          event.preventDefault();
          zoom(event.deltaY > 0 ? 1.5 : 1 / 1.5, stepAt(event));
        }}
        onKeyDown={(event) => {
          if (event.key === "+") zoom(0.5, state.step);
          if (event.key === "-") zoom(2, state.step);
        }}
      />
      <div class="clock">
        <span>
          {client.head.stepName} {(state.step + 1 + client.head.first).toLocaleString("en-US")} of{" "}
          {(length + client.head.first).toLocaleString("en-US")}
        </span>
        <button type="button" onClick={() => zoom(0.5, state.step)} aria-label="zoom in">
          +
        </button>
        <button type="button" onClick={() => zoom(2, state.step)} disabled={!isZoomed} aria-label="zoom out">
          −
        </button>
      </div>
      {client.head.limits.map((limit) => (
        <p key={limit} class="empty">
          {limit}
        </p>
      ))}
      <LoopSliders client={client} page={page} />
    </section>
  );
}

function draw(
  canvas: HTMLCanvasElement,
  { from, to, blocks }: Strip,
  client: Client,
  step: number,
  width: number,
  rows: number,
): void {
  const scale = devicePixelRatio || 1;
  canvas.width = width * scale;
  canvas.height = rows * rowHeight * scale;
  const context = canvas.getContext("2d");
  if (context === null) return;
  const style = getComputedStyle(document.documentElement);
  const [block, loop, text, cursor] = ["--block", "--loop-block", "--text", "--cursor"].map((name) =>
    style.getPropertyValue(name).trim(),
  ) as [string, string, string, string];
  context.scale(scale, scale);
  context.clearRect(0, 0, width, rows * rowHeight);
  context.font = `10px ${getComputedStyle(canvas).fontFamily}`;
  const letter = context.measureText("m").width;
  const x = (at: number) => ((at - from) / Math.max(1, to - from)) * width;
  for (const { kind, depth, from: start, to: end, index } of blocks) {
    const [left, right] = [Math.max(0, x(start)), Math.min(width, x(end))];
    const top = depth * rowHeight;
    context.fillStyle = kind === "loop" ? loop : block;
    context.fillRect(left, top, Math.max(1, right - left - 0.5), rowHeight - 1);
    if (right - left > 40) {
      const name =
        kind === "call" ? client.head.functions[index] : `loop, line ${client.head.statements[index]?.at[0]}`;
      context.fillStyle = text;
      context.fillText(shortened(visible(name ?? ""), (right - left - 6) / letter), left + 3, top + 9);
    }
  }
  context.fillStyle = cursor;
  context.fillRect(Math.max(0, x(step) - 1), 0, 2, rows * rowHeight);
}

function shortened(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, Math.max(0, Math.floor(most) - 1))}…`;
}

/** A slider for the rounds of each loop around the cursor. */
function LoopSliders({ client, page }: { readonly client: Client; readonly page: ShownPage }) {
  const { statements } = client.head;
  const loops = page.look?.loops ?? [];
  return (
    <div class="loops">
      {loops.map(({ statement, count, current }) => {
        const own = statements[statement];
        if (count < 2 || own === undefined) return null;
        return (
          <label key={statement}>
            <span>
              line {own.at[0]}: round {current + 1} of {count}
            </span>
            <input
              type="range"
              min={1}
              max={count}
              value={current + 1}
              aria-label={`round of the loop on line ${own.at[0]}`}
              onInput={async (event) => {
                const round = Number((event.currentTarget as HTMLInputElement).value) - 1;
                page.actions.goTo(await client.ask("round", statement, page.state.step, round));
              }}
            />
          </label>
        );
      })}
    </div>
  );
}

import { describe, expect, it } from "vitest";
import { createProgress, type Display, type ProgressEvent } from "./progress.ts";

const events: readonly ProgressEvent[] = [
  { type: "preflight", server: "LightShop", ok: true, detail: "26 tools" },
  { type: "run-started", run: "r1", folder: "results/r1", episodes: 4, resumed: 1 },
  { type: "episode-started", key: "q1|oracle|1|0", index: 1 },
  { type: "episode-started", key: "q2|oracle|1|0", index: 2 },
  { type: "episode-ended", key: "q1|oracle|1|0", outcome: "pass", reason: "right", ms: 850 },
  { type: "interrupted" },
  { type: "episode-ended", key: "q2|oracle|1|0", outcome: "error", reason: "server\n\u001b[2Jdied", ms: 61_000 },
];

function show(display: Display, isTTY: boolean, shown = events, columns = 200) {
  const written: string[] = [];
  let time = 0;
  const stream = { write: (text: string) => written.push(text), isTTY, columns };
  const progress = createProgress(display, stream, () => (time += 500));
  for (const event of shown) progress.on(event);
  progress.close();
  return written;
}

describe("createProgress", () => {
  it("writes a line for each finished episode in plain", () => {
    expect(show("plain", true).join("")).toBe(
      [
        "server LightShop: ready, 26 tools",
        "run r1: 4 episodes, 1 of them done before, in results/r1",
        "[2/4] pass q1 oracle 1 0 (850 ms)",
        "interrupted: no new episode starts, those that run are finished. Press Ctrl-C again to stop at once.",
        "[3/4] error q2 oracle 1 0 (1 min 1 s): server \\u{1b}[2Jdied",
        "",
      ].join("\n"),
    );
  });

  it("falls back to plain where the stream is no terminal", () => {
    expect(show("full", false)).toEqual(show("plain", false));
  });

  it("redraws one line on a terminal and takes it away at the end", () => {
    const written = show("full", true);
    expect(written[0]).toBe("\rchecking servers: 1 ready\u001b[K");
    expect(written).toContainEqual(
      expect.stringMatching(/^\r2\/4 · 1 pass 0 fail 0 error · .*\/(s|min) · .* left · q2 oracle 1 0/),
    );
    expect(written.at(-1)).toBe("\r\u001b[K");
    const lines = written.filter((text) => text.endsWith("\n"));
    expect(lines.map((line) => line.slice(0, 11))).toEqual(["run r1: 4 e", "interrupted", "[3/4] error"]);
  });

  it("keeps a server that is not ready in view", () => {
    const failed: ProgressEvent = { type: "preflight", server: "files", ok: false, detail: "exit 1" };
    expect(show("full", true, [failed])).toContain("server files: not ready, exit 1\n");
  });

  it("never draws more than the width", () => {
    const drawn = show("full", true, events.slice(0, 4), 20).filter((text) => text.startsWith("\r"));
    for (const text of drawn) expect(text.replace("\r", "").replace("\u001b[K", "").length).toBeLessThan(20);
  });

  it("writes nothing in none", () => {
    expect(show("none", true)).toEqual([]);
  });
});

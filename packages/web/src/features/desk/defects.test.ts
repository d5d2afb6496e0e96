import { expect, test } from "vitest";
import { callsLimits } from "@rollcall/server/contract/calls";
import english from "./desk.text.en.json" with { type: "json" };
import german from "./desk.text.de.json" with { type: "json" };

const code = Object.entries(
  import.meta.glob<string>(
    ["../{calls,desk,units,assignments,panic,notifications}/*.{ts,tsx}", "!../**/*.{test,states}.{ts,tsx}"],
    { eager: true, import: "default", query: "?raw" },
  ),
);

// Faults that dispatch centres are known for, by their number in that list; the others are tested where they happen.

test("10: a limit of a form of dispatch is one of the server's", () => {
  const known = new Set<number>(Object.values(callsLimits));
  const own = code.flatMap(([file, text]) =>
    [...text.matchAll(/\b(?:maxLength|max|maximum|maxItems)=\{?"?(\d+)/g)].map(([, number]) => ({
      file,
      number: Number(number),
    })),
  );
  expect(own.filter(({ number }) => !known.has(number))).toEqual([]);
});

test("11: no text of the desk names a key: what is shown is what is bound", () => {
  const texts = JSON.stringify([english, german]);
  expect(texts.match(/\b(?:Ctrl|Strg|Shift|Umschalt|Alt)\s*[+-]|\b[CS]-[A-Z]\b/g)).toBeNull();
});

test("12: no sound is a file that could be missing", () => {
  const files = code.flatMap(([file, text]) =>
    [...text.matchAll(/["'`][^"'`\s]*\.(?:mp3|ogg|wav|m4a|webm)["'`]|new Audio\(/g)].map(([found]) => `${file}: ${found}`),
  );
  expect(files).toEqual([]);
  // Where one is played, it is made of tones.
  expect(code.filter(([, text]) => text.includes("new AudioContext(")).length).toBeGreaterThan(0);
});

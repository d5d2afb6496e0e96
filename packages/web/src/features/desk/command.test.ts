import { describe, expect, it } from "vitest";
import { completions } from "./complete.ts";
import { type Known, type KnownCall, type KnownUnit, parseLine, type Plan, whoIs } from "./command.ts";

const unit = (id: number, callsign: string | null, name: string, crew: readonly string[] = []): KnownUnit => ({
  ...{ id, callsign, name, initials: (callsign ?? name).slice(0, 2) },
  status: { base: "available", id: null, name: null, colour: null, icon: null, since: 0 },
  may: ["status"],
  crew: crew.map((one) => ({ name: one })),
});
const a1 = unit(1, "A1", "Adam 1", ["Mara Lind"]);
const a12 = unit(2, "A12", "Adam 12");
const desk = unit(3, null, "Front desk");
const foreign: KnownUnit = { ...unit(4, "M1", "Medic 1"), may: [] };

const on = (of: KnownUnit, state: "offered" | "accepted", may: readonly string[]) =>
  ({ id: 90 + of.id, version: 3, unit: { id: of.id, name: of.name, callsign: of.callsign }, state, may }) as never;
const call = (id: number, more: Partial<KnownCall> = {}): KnownCall => ({
  ...{ id, version: 1, state: "open", kind: "call", postal: "204", units: [] },
  ...{ may: ["note", "complete", "cancel"], work: ["offer"] },
  ...more,
});
const worked = call(13, {
  units: [on(a1, "accepted", ["progress", "handBack"]), on(a12, "offered", ["withdraw"])],
  postal: "77",
});
const known: Known = {
  calls: [
    call(12),
    worked,
    call(14, { may: ["reopen"], work: [], state: "completed" }),
    call(15, { kind: "panic" }),
    call(16, { kind: "panic" }),
  ],
  panics: [
    { id: 4, version: 2, callId: 15, may: ["acknowledge", "end"] },
    { id: 5, version: 2, callId: 16, may: ["acknowledge"] },
  ],
  selected: 15,
  units: [a1, a12, desk, foreign],
  people: ["Mara Lind"],
  statuses: [
    { word: "available", base: "available", id: null },
    { word: "break", base: "break", id: null },
    { word: "Pause", base: "break", id: null },
    { word: "Traffic stop", base: "busy", id: 5 },
  ],
  progress: [
    { word: "en route", state: "enRoute" },
    { word: "on scene", state: "onScene" },
    { word: "Vor Ort", state: "onScene" },
  ],
  outcomes: [
    { word: "real", outcome: "real" },
    { word: "false", outcome: "false" },
    { word: "Fehlalarm", outcome: "false" },
    { word: "test", outcome: "test" },
  ],
  words: {
    ...{ done: "fertig", note: "Notiz", cancel: "abbrechen", reopen: "wieder", who: "wer", undo: "zurück", help: "Hilfe" },
    ...{ panic: "Panik", off: "aus" },
  },
};

/** The plan with ids in place of what it is about. */
function read(line: string): unknown {
  const { plan, refusal } = parseLine(line, known);
  if (plan === null) return refusal.about === "" ? refusal.why : `${refusal.why}: ${refusal.about}`;
  const short = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(short);
    return typeof value === "object" && value !== null && "id" in value && !("word" in value)
      ? (value as { id: number }).id
      : value;
  };
  return Object.fromEntries(Object.entries(plan satisfies Plan).map(([key, value]) => [key, short(value)]));
}

describe("a line", () => {
  it.each<readonly [string, unknown]>([
    ["#12", { do: "open", call: 12 }],
    ["dsp-12", { do: "open", call: 12 }],
    ["#12 +A1 en route", { do: "assign", call: 12, units: [1], ask: false, progress: "enRoute" }],
    ["  #12   +a1 +Front desk   vor ort ", { do: "assign", call: 12, units: [1, 3], ask: false, progress: "onScene" }],
    ["#12 +A1 +A1", { do: "assign", call: 12, units: [1], ask: false, progress: null }],
    ["#12 +A12", { do: "assign", call: 12, units: [2], ask: false, progress: null }],
    ["#12 ?A1", { do: "assign", call: 12, units: [1], ask: true, progress: null }],
    ["#13 -A12", { do: "remove", call: 13, on: 92, reason: "" }],
    ["#13 -A1 car broke down", { do: "remove", call: 13, on: 91, reason: "car broke down" }],
    ["#13 A1 on scene", { do: "progress", call: 13, on: 91, state: "onScene" }],
    ["#13 Adam 1 on scene", { do: "progress", call: 13, on: 91, state: "onScene" }],
    ["A1 break", { do: "status", unit: 1, to: { word: "break", base: "break", id: null } }],
    ["front desk traffic  stop", { do: "status", unit: 3, to: { word: "Traffic stop", base: "busy", id: 5 } }],
    ["#12 done", { do: "done", call: 12, text: "" }],
    ["#12 done two arrests", { do: "done", call: 12, text: "two arrests" }],
    ["#12 fertig Zwei Festnahmen", { do: "done", call: 12, text: "Zwei Festnahmen" }],
    ["#12 note +A1 was seen", { do: "note", call: 12, text: "+A1 was seen" }],
    ["#12 cancel false alarm", { do: "cancel", call: 12, text: "false alarm" }],
    ["#14 reopen they are back", { do: "reopen", call: 14, text: "they are back" }],
    ["who 204", { do: "who", text: "204" }],
    ["wer Mara", { do: "who", text: "Mara" }],
    ["undo", { do: "undo" }],
    ["?", { do: "help" }],
    ["#15 panic real", { do: "panic", call: 15, panic: 4, outcome: "real", text: "" }],
    ["#15 panic false Sat on the button", { do: "panic", call: 15, panic: 4, outcome: "false", text: "Sat on the button" }],
    ["panic off test", { do: "panic", call: 15, panic: 4, outcome: "test", text: "" }],
    ["Panik aus fehlalarm", { do: "panic", call: 15, panic: 4, outcome: "false", text: "" }],
  ])("“%s” does %o", (line, plan) => expect(read(line)).toEqual(plan));

  it.each([
    ["", "empty"],
    ["#99 done", "noCall: DSP-99"],
    ["#", "noCall: #"],
    ["#12 +Z9 en route", "noUnit: Z9"],
    ["#12 +A1 tomorrow", "noStatus: tomorrow"],
    ["#12 ?A1 en route", "askedThen: en route"],
    ["#13 +A1", "alreadyOn: Adam 1"],
    ["#12 -A1", "notOnCall: Adam 1"],
    ["#13 -A1", "noReason: #13 -A1"],
    ["#13 A12 on scene", "asked: Adam 12"],
    ["#13 A1", "noStatus: Adam 1"],
    ["#12 hurry", "noAction: hurry"],
    ["#12 note", "noText: #12 note"],
    ["#12 cancel", "noReason: #12 cancel"],
    ["#14 done", "notYours: DSP-14"],
    ["#14 +A1", "notYours: DSP-14"],
    ["M1 break", "notYours: Medic 1"],
    ["A1", "noStatus: Adam 1"],
    ["A1 asleep", "noStatus: asleep"],
    ["who", "noText: who"],
    ["undo all", "noMore: all"],
    ["hello there", "noUnit: hello"],
    ["panic off", "noOutcome: Panik"],
    ["#15 panic", "noOutcome: #15 Panik"],
    ["#15 panic maybe", "noOutcome: #15 Panik"],
    ["#12 panic real", "noPanic: DSP-12"],
    ["#16 panic real", "notYours: DSP-16"],
  ])("“%s” is refused: %s", (line, why) => expect(read(line)).toBe(why));
});

it.each([
  ["204", [12, 15, 16], []],
  ["77", [13], [1, 2]],
  ["mara", [], [1]],
  ["nobody", [], []],
])("finds who is at “%s”", (text, calls, units) => {
  const found = whoIs(text, known);
  expect([found.calls.map(({ id }) => id), found.units.map(({ id }) => id)]).toEqual([calls, units]);
});

it.each<readonly [string, readonly string[]]>([
  ["#", ["#12", "#13", "#14", "#15", "#16"]],
  ["pan", ["Panik"]],
  ["#15 pa", ["#15 Panik"]],
  ["#12 pa", []],
  ["#15 panic f", ["#15 panic false", "#15 panic Fehlalarm"]],
  ["panic off t", ["panic off test"]],
  ["a", ["A1", "A12"]],
  ["#12 +a", ["#12 +A1", "#12 +A12"]],
  ["#12 +A1 en", ["#12 +A1 en route"]],
  ["#13 -a", ["#13 -A1", "#13 -A12"]],
  ["#12 no", ["#12 Notiz"]],
  ["#12 note a", []],
  ["A1 tra", ["A1 Traffic stop"]],
  ["A1 Traffic st", ["A1 Traffic stop"]],
  ["who m", ["who Mara Lind"]],
  ["who 2", ["who 204"]],
  ["", []],
  ["zzz", []],
])("“%s” goes on as %o", (line, lines) => expect(completions(line, known).map((one) => one.line)).toEqual(lines));

it.each([null, 99])("a panic without a number is that of the open call, which has to be there: %s", (selected) => {
  expect(parseLine("panic off real", { ...known, selected })).toEqual({
    plan: null,
    refusal: { why: "noneOpen", about: "panic off real" },
  });
  expect(parseLine("panic off real", { ...known, selected: 12 }).refusal).toEqual({ why: "noPanic", about: "DSP-12" });
});

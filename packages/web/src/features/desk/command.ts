import type { BaseKind, Unit } from "@rollcall/server/contract/units";
import type { Call, UnitOnCall } from "@rollcall/server/contract/calls";
import type { WorkingState } from "@rollcall/server/contract/assignments";
import type { Panic, PanicOutcome } from "@rollcall/server/contract/panic";

/** A call as the command line needs it. */
export type KnownCall = Pick<Call, "id" | "version" | "state" | "kind" | "postal" | "units" | "may" | "work">;
export type KnownUnit = Pick<Unit, "id" | "name" | "callsign" | "initials" | "status" | "may"> & {
  readonly crew: readonly { readonly name: string }[];
};

/** An active panic, which is a call too. */
export type KnownPanic = Pick<Panic, "id" | "version" | "callId" | "may">;

/** A status under one of its names. */
export interface StatusWord {
  readonly word: string;
  readonly base: BaseKind;
  /** Of a custom status. */
  readonly id: number | null;
}

/** How far a unit is, under one of its names. */
export interface ProgressWord {
  readonly word: string;
  readonly state: WorkingState;
}

/** What a panic was, under one of its names. */
export interface OutcomeWord {
  readonly word: string;
  readonly outcome: PanicOutcome;
}

export const verbs = ["done", "note", "cancel", "reopen"] as const;
export type Verb = (typeof verbs)[number];
export const plainVerbs = ["who", "undo", "help"] as const;
/** `panic off false`, or shorter `panic false`; with the number of a call before it or for the open one. */
export const panicWords = ["panic", "off"] as const;

/** What a line may be about, and the words that it is written in. */
export interface Known {
  readonly calls: readonly KnownCall[];
  readonly units: readonly KnownUnit[];
  /** Those that the viewer is alarmed by. */
  readonly panics: readonly KnownPanic[];
  /** The call that is open beside the lists. */
  readonly selected: number | null;
  /** Names of people on duty. */
  readonly people: readonly string[];
  readonly statuses: readonly StatusWord[];
  readonly progress: readonly ProgressWord[];
  readonly outcomes: readonly OutcomeWord[];
  /** In the viewer's language, beside the English ones. */
  readonly words: Readonly<Record<Verb | (typeof plainVerbs)[number] | (typeof panicWords)[number], string>>;
}

/** What Enter does. */
export type Plan =
  | { readonly do: "open"; readonly call: KnownCall }
  | {
      readonly do: "assign";
      readonly call: KnownCall;
      readonly units: readonly KnownUnit[];
      /** They may decline. */
      readonly ask: boolean;
      readonly progress: WorkingState | null;
    }
  | { readonly do: "remove"; readonly call: KnownCall; readonly on: UnitOnCall; readonly reason: string }
  | { readonly do: "progress"; readonly call: KnownCall; readonly on: UnitOnCall; readonly state: WorkingState }
  | { readonly do: "status"; readonly unit: KnownUnit; readonly to: StatusWord }
  | { readonly do: Verb; readonly call: KnownCall; readonly text: string }
  | {
      readonly do: "panic";
      readonly call: KnownCall;
      readonly panic: KnownPanic;
      readonly outcome: PanicOutcome;
      readonly text: string;
    }
  | { readonly do: "who"; readonly text: string }
  | { readonly do: "undo" }
  | { readonly do: "help" };

/** Why a line does nothing: a text key under `desk.line.refused`, and what it names. */
export interface Refusal {
  readonly why:
    | "empty"
    | "noCall"
    | "noUnit"
    | "notOnCall"
    | "alreadyOn"
    | "notYours"
    | "noStatus"
    | "noAction"
    | "noText"
    | "noReason"
    | "asked"
    | "askedThen"
    | "noMore"
    | "noPanic"
    | "noneOpen"
    | "noOutcome";
  readonly about: string;
}

export type Parsed = { readonly plan: Plan; readonly refusal: null } | { readonly plan: null; readonly refusal: Refusal };

const planned = (plan: Plan): Parsed => ({ plan, refusal: null });
const refused = (why: Refusal["why"], about = ""): Parsed => ({ plan: null, refusal: { why, about } });

const fold = (text: string) => text.trim().replace(/\s+/g, " ").toLowerCase();

/** The longest of these names that the text begins with, as whole words, and what follows it. */
function longest<T>(text: string, named: readonly { readonly name: string; readonly of: T }[]) {
  const folded = text.toLowerCase();
  let found: { readonly of: T; readonly rest: string; readonly length: number } | null = null;
  for (const { name, of } of named) {
    const wanted = name.toLowerCase();
    if (wanted === "" || !folded.startsWith(wanted) || (found !== null && found.length >= wanted.length)) continue;
    const rest = text.slice(wanted.length);
    if (rest === "" || /^\s/.test(rest)) found = { of, rest: rest.trim(), length: wanted.length };
  }
  return found;
}

/** Callsigns first: the name or the initials of a unit may be the callsign of another one. */
const unitIn = (text: string, units: readonly KnownUnit[]) =>
  longest(
    text,
    units.flatMap((of) => (of.callsign === null ? [] : [{ name: of.callsign, of }])),
  ) ??
  longest(
    text,
    units.flatMap((of) => [
      { name: of.name, of },
      { name: of.initials, of },
    ]),
  );

/** The word in English or in the language of the viewer. */
export const wordOf = <W extends keyof Known["words"]>(text: string, of: readonly W[], { words }: Known) =>
  longest(
    text,
    of.flatMap((one) => [
      { name: one, of: one },
      { name: words[one], of: one },
    ]),
  );

const firstWord = (text: string) => /^\S*/.exec(text)![0];
const onCall = ({ units }: KnownCall, { id }: KnownUnit) => units.find((on) => on.unit.id === id);

/** Reads a line. What it names has to be among what is known; nothing is guessed. */
export function parseLine(line: string, known: Known): Parsed {
  const text = line.trim().replace(/\s+/g, " ");
  if (text === "") return refused("empty");
  const ofCall = /^(?:#|dsp-?)(\d{1,15})(?:\s+(.*))?$/i.exec(text);
  if (ofCall) {
    const call = known.calls.find(({ id }) => id === Number(ofCall[1]));
    return call === undefined ? refused("noCall", `DSP-${ofCall[1]}`) : aboutCall(call, ofCall[2] ?? "", known);
  }
  const found = unitIn(text, known.units);
  if (found !== null) return aboutUnit(found.of, found.rest, known);
  return plainLine(text, known);
}

function plainLine(text: string, known: Known): Parsed {
  const panic = wordOf(text, ["panic"], known);
  if (panic !== null) {
    const call = known.calls.find(({ id }) => id === known.selected);
    return call === undefined ? refused("noneOpen", text) : endingPanic(call, panic.rest, known.words.panic, known);
  }
  const verb = wordOf(text, plainVerbs, known);
  if (verb?.of === "who") return verb.rest === "" ? refused("noText", text) : planned({ do: "who", text: verb.rest });
  if (verb !== null) return verb.rest === "" ? planned({ do: verb.of }) : refused("noMore", verb.rest);
  if (text === "?") return planned({ do: "help" });
  return refused(text.startsWith("#") ? "noCall" : "noUnit", text.startsWith("#") ? text : firstWord(text));
}

/** A panic ends as what it was; a note may follow. */
function endingPanic(call: KnownCall, rest: string, begun: string, known: Known): Parsed {
  if (call.kind !== "panic" || call.state !== "open") return refused("noPanic", `DSP-${call.id}`);
  const outcome = longest(
    wordOf(rest, ["off"], known)?.rest ?? rest,
    known.outcomes.map(({ word: name, outcome: of }) => ({ name, of })),
  );
  if (outcome === null) return refused("noOutcome", begun);
  const panic = known.panics.find(({ callId }) => callId === call.id);
  if (panic?.may.includes("end") !== true) return refused("notYours", `DSP-${call.id}`);
  return planned({ do: "panic", call, panic, outcome: outcome.of, text: outcome.rest });
}

function aboutUnit(unit: KnownUnit, rest: string, { statuses }: Known): Parsed {
  if (rest === "") return refused("noStatus", unit.name);
  const to = statuses.find(({ word }) => fold(word) === fold(rest));
  if (to === undefined) return refused("noStatus", rest);
  return unit.may.includes("status") ? planned({ do: "status", unit, to }) : refused("notYours", unit.name);
}

function aboutCall(call: KnownCall, rest: string, known: Known): Parsed {
  if (rest === "") return planned({ do: "open", call });
  if (rest.startsWith("+") || rest.startsWith("?")) return adding(call, rest, known);
  if (rest.startsWith("-")) return removing(call, rest.slice(1).trim(), known);
  const panic = wordOf(rest, ["panic"], known);
  if (panic !== null) return endingPanic(call, panic.rest, `#${call.id} ${known.words.panic}`, known);
  const verb = wordOf(rest, verbs, known);
  if (verb !== null) return writing(call, verb.of, verb.rest);
  const unit = unitIn(rest, known.units);
  if (unit === null) return refused("noAction", rest);
  const on = onCall(call, unit.of);
  if (on === undefined) return refused("notOnCall", unit.of.name);
  const state = progressOf(unit.rest, known);
  if (state === null) return refused("noStatus", unit.rest === "" ? unit.of.name : unit.rest);
  if (on.state === "offered") return refused("asked", unit.of.name);
  return on.may.includes("progress") ? planned({ do: "progress", call, on, state }) : refused("notYours", unit.of.name);
}

const progressOf = (text: string, { progress }: Known) => progress.find(({ word }) => fold(word) === fold(text))?.state ?? null;

/** `+A1 +B2 en route`, or `?A1`: units of one line are all assigned or all asked. */
function adding(call: KnownCall, text: string, known: Known): Parsed {
  const sign = text[0]!;
  const units: KnownUnit[] = [];
  let rest = text;
  while (rest.startsWith(sign)) {
    const found = unitIn(rest.slice(1).trim(), known.units);
    if (found === null) return refused("noUnit", firstWord(rest.slice(1).trim()));
    if (onCall(call, found.of) !== undefined) return refused("alreadyOn", found.of.name);
    if (!units.includes(found.of)) units.push(found.of);
    rest = found.rest;
  }
  const progress = rest === "" ? null : progressOf(rest, known);
  if (rest !== "" && progress === null) return refused("noStatus", rest);
  if (sign === "?" && progress !== null) return refused("askedThen", rest);
  if (!call.work.includes("offer")) return refused("notYours", `DSP-${call.id}`);
  return planned({ do: "assign", call, units, ask: sign === "?", progress });
}

/** An offer is withdrawn; what a unit works is handed back, with a reason. */
function removing(call: KnownCall, text: string, { units }: Known): Parsed {
  const found = unitIn(text, units);
  if (found === null) return refused("noUnit", firstWord(text));
  const on = onCall(call, found.of);
  if (on === undefined) return refused("notOnCall", found.of.name);
  if (!on.may.includes("withdraw") && !on.may.includes("handBack")) return refused("notYours", found.of.name);
  if (on.state !== "offered" && found.rest === "")
    return refused("noReason", `#${call.id} -${found.of.callsign ?? found.of.name}`);
  return planned({ do: "remove", call, on, reason: found.rest });
}

const moves = { done: "complete", note: "note", cancel: "cancel", reopen: "reopen" } as const;

function writing(call: KnownCall, verb: Verb, text: string): Parsed {
  if (!call.may.includes(moves[verb])) return refused("notYours", `DSP-${call.id}`);
  if (text === "" && verb !== "done") return refused(verb === "note" ? "noText" : "noReason", `#${call.id} ${verb}`);
  return planned({ do: verb, call, text });
}

/** What is near a postal code, or where somebody is. */
export interface Found {
  readonly calls: readonly KnownCall[];
  readonly units: readonly KnownUnit[];
}

export function whoIs(text: string, { calls, units }: Pick<Known, "calls" | "units">): Found {
  const wanted = fold(text);
  const there = calls.filter(({ postal, state }) => state === "open" && postal !== null && fold(postal) === wanted);
  const working = new Set(there.flatMap((call) => call.units.map(({ unit }) => unit.id)));
  const named = units.filter(({ crew }) => crew.some(({ name }) => fold(name).includes(wanted)));
  return { calls: there, units: units.filter((unit) => working.has(unit.id) || named.includes(unit)) };
}

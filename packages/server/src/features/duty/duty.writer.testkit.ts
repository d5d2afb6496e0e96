import type { HandMode, Step } from "./duty.model.testkit.ts";

export interface PersonSeed {
  person: string;
  licence: string;
  jobs: readonly string[];
}

export const SOURCES = ["alpha", "beta"] as const;
export const JOBS = ["police", "ambulance", "mechanic"] as const;

export const SECOND = 1000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
/** Shorter than the 60 s of silence, so that a source that speaks so often is never silent. */
export const ALIVE_EVERY = 50 * SECOND;

export type BootChoice = "now" | "before" | "older" | "none";
/** "own": the job that the person last went on duty in, otherwise the primary one. */
export type JobChoice = "own" | "none" | number;
export interface Call {
  source: number;
  boot: BootChoice;
}
export type Command =
  | { do: "on" | "off"; who: number; job: JobChoice; ago: number; call: Call }
  | { do: "dropped" | "loaded"; who: number; ago: number; call: Call }
  | { do: "position"; who: number; job: JobChoice; off: boolean; hidden: boolean; remove: boolean; seqBack: number; call: Call }
  | { do: "heartbeat"; call: Call }
  | { do: "boot"; source: number; speaks: boolean }
  | { do: "jobs"; who: number; jobs: readonly string[] }
  | { do: "hand"; who: number; on: boolean; job: JobChoice }
  | { do: "mode"; job: number; mode: HandMode }
  | { do: "pass" | "down"; ms: number }
  | { do: "alive"; ms: number; sources: readonly number[] }
  | { do: "repeat"; back: number; other: boolean };

type KeyedStep = Extract<Step, { key: string }>;

export class StepWriter {
  private readonly steps: Step[] = [];
  private readonly keyed: KeyedStep[] = [];
  private readonly boots = SOURCES.map(() => 1);
  private readonly seqs = new Map<string, number>();
  private readonly ownJobs = new Map<number, string>();
  private keys = 0;
  private clock: number;
  private readonly people: readonly PersonSeed[];
  private readonly bootless: readonly number[];

  constructor(now: number, people: readonly PersonSeed[], bootless: readonly number[]) {
    this.clock = now;
    this.people = people;
    this.bootless = bootless;
  }

  write(commands: readonly Command[]): readonly Step[] {
    for (const command of commands) this.one(command);
    return this.steps;
  }

  private one(command: Command): void {
    switch (command.do) {
      case "on":
      case "off":
      case "dropped":
      case "loaded":
        return this.event(command);
      case "position":
        return this.position(command);
      case "heartbeat":
        return this.heartbeat(command.call);
      case "boot":
        this.boots[command.source] = (this.boots[command.source] ?? 1) + 1;
        if (command.speaks) this.heartbeat({ source: command.source, boot: "now" });
        return;
      case "pass":
      case "down":
        return this.time(command.do, command.ms);
      case "alive":
        return this.alive(command.ms, command.sources);
      case "repeat":
        return this.repeat(command.back, command.other);
      case "jobs":
      case "hand":
      case "mode":
        return this.browser(command);
    }
  }

  private event(command: Extract<Command, { ago: number }>): void {
    const head = {
      ...this.head(command.call),
      key: `k${++this.keys}`,
      person: this.seed(command.who).person,
      at: this.clock - command.ago,
    };
    if (command.do === "on" || command.do === "off") {
      const isOn = command.do === "on";
      const job = this.job(command.who, command.job);
      if (isOn && job !== null) this.ownJobs.set(this.index(command.who), job);
      this.push({ ...head, kind: "duty", on: isOn, job });
    } else {
      this.push({ ...head, kind: command.do });
    }
  }

  private position(command: Extract<Command, { do: "position" }>): void {
    const head = this.head(command.call);
    const stream = JSON.stringify([head.source, head.boot]);
    const seq = (this.seqs.get(stream) ?? 0) + 1;
    this.seqs.set(stream, seq);
    const { hidden, off, remove: isRemove } = command;
    const job = this.job(command.who, command.job);
    this.push({
      ...head,
      kind: "position",
      seq: Math.max(0, seq - command.seqBack),
      person: this.seed(command.who).person,
      job,
      off: off && job !== null,
      hidden,
      remove: isRemove,
    });
  }

  private heartbeat(from: Call): void {
    this.push({ kind: "heartbeat", ...this.head(from) });
  }

  private time(kind: "pass" | "down", ms: number): void {
    this.push({ kind, ms });
    this.clock += ms;
  }

  /** The sources speak all the time; the last stretch ends without a word, just at the limit. */
  private alive(ms: number, sources: readonly number[]): void {
    let left = ms;
    for (;;) {
      for (const source of sources) this.heartbeat({ source, boot: "now" });
      this.time("pass", Math.min(left, ALIVE_EVERY));
      if (left <= ALIVE_EVERY) return;
      left -= ALIVE_EVERY;
    }
  }

  /** An earlier event again, word for word, or its key on something else that would matter. */
  private repeat(back: number, other: boolean): void {
    const step = this.keyed[this.keyed.length - 1 - back];
    if (!step) return;
    this.push(other && step.kind === "duty" ? { ...step, on: !step.on, job: step.job ?? JOBS[0], at: this.clock } : step);
  }

  private browser(command: Extract<Command, { do: "jobs" | "hand" | "mode" }>): void {
    if (command.do === "jobs") this.push({ kind: "jobs", person: this.seed(command.who).person, jobs: command.jobs });
    else if (command.do === "mode") this.push({ kind: "mode", job: JOBS[command.job] ?? JOBS[0], mode: command.mode });
    else {
      const job = this.job(command.who, command.job) ?? JOBS[0];
      if (command.on) this.ownJobs.set(this.index(command.who), job);
      this.push({ kind: "hand", person: this.seed(command.who).person, on: command.on, job });
    }
  }

  private push(step: Step): void {
    this.steps.push(step);
    if ("key" in step) this.keyed.push(step);
  }

  private head(from: Call): { source: string; boot: string | null } {
    const source = SOURCES[from.source] ?? SOURCES[0];
    if (from.boot === "none" || this.bootless.includes(from.source)) return { source, boot: null };
    const back = { now: 0, before: 1, older: 2 }[from.boot];
    return { source, boot: `boot${Math.max(1, (this.boots[from.source] ?? 1) - back)}` };
  }

  private index(whoIndex: number): number {
    return whoIndex % this.people.length;
  }

  private seed(whoIndex: number): PersonSeed {
    const seed = this.people[this.index(whoIndex)];
    if (!seed) throw new Error("there are at least two people");
    return seed;
  }

  private job(whoIndex: number, choice: JobChoice): string | null {
    if (choice === "none") return null;
    if (choice === "own") return this.ownJobs.get(this.index(whoIndex)) ?? this.seed(whoIndex).jobs[0] ?? JOBS[0];
    return JOBS[choice] ?? JOBS[0];
  }
}

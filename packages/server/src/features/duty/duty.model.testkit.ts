// Reference model of duty. Slow and obvious on purpose: it is the yardstick that the program
// is compared with, so nothing here is clever. Numbers in comments ("rule 6") are those of
// SPEC.md; "Q3" is the third place of QUESTIONS.md, where the specification left a choice.

import { noteBoot, saysBoot } from "./duty.boots.model.testkit.ts";
import * as limits from "./duty.limits.model.testkit.ts";
import type { Due, Duty, HandMode, Interval, Person, Present, Source, Step } from "./duty.types.model.testkit.ts";

export type { HandMode, Interval, Present, Step } from "./duty.types.model.testkit.ts";

type DutyEvent = Extract<Step, { kind: "duty" | "dropped" | "loaded" }>;
type SwitchEvent = Extract<Step, { kind: "duty" }>;
type PositionStep = Extract<Step, { kind: "position" }>;
type HandStep = Extract<Step, { kind: "hand" }>;
interface Answer {
  refused: boolean;
}

const DONE: Answer = { refused: false };
const REFUSED: Answer = { refused: true };

export class DutyModel {
  private now: number;
  private readonly people = new Map<string, Person>();
  private readonly sources = new Map<string, Source>();
  private readonly keys = new Set<string>();
  private readonly modes = new Map<string, HandMode>();
  /** Jobs for which some source has ever sent an on or off (rule 10). */
  private readonly jobsOfSources = new Set<string>();
  private readonly ended: Interval[] = [];

  constructor(now: number, people: readonly { person: string; licence: string; jobs: readonly string[] }[]) {
    this.now = now;
    for (const { person, licence, jobs } of people) this.addPerson(person, licence, jobs);
  }

  apply(step: Step): Answer {
    const answer = this.applyAtOnce(step);
    // Rule 15. Also after steps that move no clock: a drop reported late may be due already.
    this.sweep();
    return answer;
  }

  present(person: string): Present | null {
    const duty = this.people.get(person)?.duty;
    if (!duty) return null;
    return { job: duty.job, since: duty.since, by: duty.source === null ? "hand" : "game", state: this.stateOf(duty) };
  }

  intervals(): readonly Interval[] {
    return this.ended.map((interval) => ({ ...interval }));
  }

  private applyAtOnce(step: Step): Answer {
    switch (step.kind) {
      case "duty":
      case "dropped":
      case "loaded":
        return this.dutyEvent(step);
      case "position":
        this.position(step);
        return DONE;
      case "heartbeat":
        this.called(step.source, step.boot);
        return DONE;
      case "jobs":
        this.setJobs(this.personNamed(step.person), step.jobs);
        return DONE;
      case "hand":
        return step.on ? this.beginByHand(step) : this.endByHand(step);
      case "mode":
        // An open duty by hand stays when the mode becomes `off`: only beginning is forbidden (Q15).
        this.modes.set(step.job, step.mode);
        return DONE;
      case "pass":
        this.now += step.ms;
        return DONE;
      case "down":
        this.stopAndStart(step.ms);
        return DONE;
    }
  }

  // ---- People, sources, duties -------------------------------------------------------------

  private addPerson(name: string, licence: string, jobs: readonly string[]): Person {
    const person: Person = {
      name,
      licence,
      jobs: [...jobs],
      duty: null,
      latestAt: -Infinity,
      lastSign: -Infinity,
      lastEnd: -Infinity,
      latestPosition: null,
    };
    this.people.set(name, person);
    return person;
  }

  /** Somebody unknown holds no job and shares a licence with nobody (Q20). */
  private personNamed(name: string): Person {
    return this.people.get(name) ?? this.addPerson(name, `unknown licence of ${name}`, []);
  }

  private begin(person: Person, job: string, since: number, source: string | null): void {
    person.duty = { job, since, source, missing: null, unnamed: null };
  }

  private end(person: Person, to: number, estimated: boolean): void {
    const duty = person.duty;
    if (!duty) return;
    this.ended.push({ person: person.name, job: duty.job, from: duty.since, to, estimated });
    person.lastEnd = to;
    person.duty = null;
  }

  /** Rule 5: by missing, silence or boot a duty ends at the last sign of life, not before `since`. */
  private endAtLastSign(person: Person): void {
    if (person.duty) this.end(person, Math.max(person.duty.since, person.lastSign), true);
  }

  /** Rule 5: monotone, never above now (every caller passes now or an `at` not above it). */
  private signOfLife(person: Person, instant: number): void {
    person.lastSign = Math.max(person.lastSign, instant);
  }

  private onDutyBy(source: Source): Duty[] {
    const duties: Duty[] = [];
    for (const person of this.people.values()) {
      if (person.duty?.source === source.name) duties.push(person.duty);
    }
    return duties;
  }

  /** A duty by hand has no source, so no silence touches it (rule 10). */
  private isSilent(duty: Duty): boolean {
    return duty.source !== null && (this.sources.get(duty.source)?.silent ?? false);
  }

  private stateOf(duty: Duty): Present["state"] {
    if (this.isSilent(duty) || duty.unnamed) return "uncertain";
    return duty.missing ? "missing" : "on";
  }

  // ---- Calls of a source (rules 7 and 9) ----------------------------------------------------

  private called(name: string, boot: string | null, happened: number | null = null): Source {
    const source = this.sources.get(name) ?? limits.newSource(name, this.now);
    this.sources.set(name, source);
    source.lastCallAt = this.now;
    source.silent = false;
    if (source.missed) source.changedAt = this.now;
    source.missed = false;
    for (const duty of this.onDutyBy(source)) {
      // Rule 6: what stood still during the silence begins again, it does not go on.
      if (duty.missing?.graceFrom === null) duty.missing.graceFrom = this.now;
      if (duty.unnamed?.until === null) duty.unnamed.until = this.now + limits.BOOT_WINDOW;
    }
    if (noteBoot(source, boot, happened, this.now)) {
      // Another start gives no more time to who was not named since the one before.
      for (const duty of this.onDutyBy(source)) duty.unnamed ??= { until: this.now + limits.BOOT_WINDOW };
    }
    return source;
  }

  /** Rule 9: named by its own source, by a call of the boot that runs. */
  private nameAfterBoot(duty: Duty, source: Source, { boot, at = null }: { boot: string | null; at?: number | null }): void {
    if (duty.source === source.name && saysBoot(source, boot, at)) duty.unnamed = null;
  }

  // ---- Duty events -------------------------------------------------------------------------

  private dutyEvent(step: DutyEvent): Answer {
    const source = this.called(step.source, step.boot, step.at);
    const id = JSON.stringify([step.source, step.key]);
    // A repeat is no more than a heartbeat: the call counts, the event is not looked at (Q1).
    if (this.keys.has(id)) return DONE;
    // Rule 1: rejected, not recorded; the same key may therefore be sent again (Q2).
    if (step.at > this.now + limits.AHEAD_LIMIT) return REFUSED;
    const at = Math.min(step.at, this.now);
    const person = this.personNamed(step.person);
    const late = this.isLate(person, step, at);
    // Rule 4, after the order rule: of an event without effect it is not asked who holds what (Q5).
    if (!late && step.kind === "duty" && step.on && !limits.holds(person, step.job)) return REFUSED;

    this.keys.add(id);
    source.sendsDuty = true;
    if (step.kind === "duty" && step.job !== null) this.jobsOfSources.add(step.job);
    if (late) return DONE;

    person.latestAt = at;
    if (step.kind === "dropped") this.dropped(person, source, step, at);
    else if (step.kind === "loaded") this.loaded(person, at);
    else if (step.on && step.job !== null) this.dutyOn(person, source, step.job, at);
    else this.dutyOff(person, step, at);
    return DONE;
  }

  /** Rules 1 and 2: older than what was applied; an `on` also older than the present or last duty. */
  private isLate(person: Person, step: DutyEvent, at: number): boolean {
    if (at < person.latestAt) return true;
    if (step.kind !== "duty" || !step.on) return false;
    return at < (person.duty ? person.duty.since : person.lastEnd);
  }

  /** Rule 2. */
  private dutyOn(person: Person, source: Source, job: string, at: number): void {
    this.signOfLife(person, at);
    if (person.duty?.job === job) {
      person.duty.source = source.name;
      person.duty.missing = null;
      person.duty.unnamed = null;
      return;
    }
    this.end(person, at, false);
    this.begin(person, job, at, source.name);
  }

  /** Rule 3: any source may say it, of a duty by hand too (rule 10). */
  private dutyOff(person: Person, step: SwitchEvent, at: number): void {
    const duty = person.duty;
    if (!duty) return;
    if (step.job !== null && step.job !== duty.job) return; // Changes nothing (Q6).
    this.signOfLife(person, at);
    this.end(person, Math.max(duty.since, at), false);
  }

  /** Rule 6. */
  private dropped(person: Person, source: Source, step: DutyEvent, at: number): void {
    this.signOfLife(person, at); // Rule 5: until then the person was there.
    const duty = person.duty;
    if (!duty) return;
    duty.missing = { graceFrom: this.isSilent(duty) ? null : at };
    this.nameAfterBoot(duty, source, step);
  }

  /** Rule 12. It does not name the person after a boot: rule 9 does not list it (Q11). */
  private loaded(person: Person, at: number): void {
    for (const other of this.people.values()) {
      if (other === person || other.licence !== person.licence) continue;
      // Settled (Q18): an older event has no effect on what is newer.
      if (other.duty && at >= other.latestAt && at >= other.duty.since) this.end(other, at, false);
    }
    this.signOfLife(person, at);
    if (person.duty) person.duty.missing = null;
  }

  // ---- Positions ---------------------------------------------------------------------------

  private position(step: PositionStep): void {
    const source = this.called(step.source, step.boot);
    const person = this.personNamed(step.person);
    const order = JSON.stringify([step.source, step.boot]);
    // Rule 14: of equal ones the one that arrives later counts; another source or boot begins a new order.
    if (person.latestPosition?.order === order && step.seq < person.latestPosition.seq) return;
    person.latestPosition = { order, seq: step.seq };
    // `hidden` is not looked at: it hides the place only.
    if (step.remove) this.removed(person, source);
    else this.seen(person, source, step);
  }

  /** Rule 11. */
  private removed(person: Person, source: Source): void {
    if (!source.sendsDuty && person.duty?.source === source.name) this.end(person, this.now, false);
  }

  /** Rules 5, 6, 11 and 13: another job than the duty's is a finding only. */
  private seen(person: Person, source: Source, step: PositionStep): void {
    if (person.duty) {
      this.signOfLife(person, this.now);
      // Rule 17: what the job is called off duty takes back what positions of this source said, as `remove` does.
      if (step.off && step.job === person.duty.job) {
        const duty = person.duty;
        this.removed(person, source);
        if (person.duty !== duty) return;
      }
      person.duty.missing = null;
      this.nameAfterBoot(person.duty, source, { boot: step.boot });
      return;
    }
    // Settled (Q4): a position of somebody off duty is no sign of life for a duty that is reported later.
    const job = step.job ?? person.jobs[0] ?? null;
    if (source.sendsDuty || job === null || step.off || !limits.holds(person, job)) return;
    this.signOfLife(person, this.now);
    this.begin(person, job, this.now, source.name);
  }

  // ---- By hand, and jobs -------------------------------------------------------------------

  /** Rule 4: losing the job ends the duty now. */
  private setJobs(person: Person, jobs: readonly string[]): void {
    person.jobs = [...jobs];
    if (person.duty && !limits.holds(person, person.duty.job)) this.end(person, this.now, false);
  }

  private allowsByHand(job: string): boolean {
    const mode = this.modes.get(job) ?? "untilSource";
    return mode === "on" || (mode === "untilSource" && !this.jobsOfSources.has(job));
  }

  /** Rule 10. */
  private beginByHand(step: HandStep): Answer {
    const person = this.personNamed(step.person);
    if (!this.allowsByHand(step.job)) return REFUSED;
    if (!limits.holds(person, step.job)) return REFUSED; // Q17.
    if (person.duty?.job === step.job) return REFUSED;
    // Rule 10, by its sense: a second job must be no way to end the duty that the game decides about. Nobody decides
    // while the source is silent.
    if (person.duty && person.duty.source !== null && !this.isSilent(person.duty) && !this.allowsByHand(person.duty.job))
      return REFUSED;
    this.end(person, this.now, false);
    this.begin(person, step.job, this.now, null);
    this.signOfLife(person, this.now);
    return DONE;
  }

  /** Rule 10: a duty by hand may always be ended, one of the game only where the mode is `on` (Q14). */
  private endByHand(step: HandStep): Answer {
    const person = this.personNamed(step.person);
    if (person.duty?.job !== step.job) return REFUSED; // Q16.
    if (person.duty.source !== null && this.modes.get(step.job) !== "on") return REFUSED;
    this.end(person, this.now, false);
    return DONE;
  }

  // ---- Time --------------------------------------------------------------------------------

  /** Rule 8. Everything that hangs on a source stands still from the stop until it calls (Q12). */
  private stopAndStart(ms: number): void {
    this.now += ms;
    for (const source of this.sources.values()) {
      this.fallSilent(source);
      // The 15 min run from the first start without a call; later ones do not move them.
      if (!source.missed) source.lastCallAt = this.now;
      source.missed = true;
      for (const duty of this.onDutyBy(source)) {
        if (duty.unnamed) duty.unnamed.until = null;
      }
    }
  }

  /** Rules 6 and 7: the people become uncertain (see stateOf) and a running grace stops. */
  private fallSilent(source: Source): void {
    source.silent = true;
    for (const duty of this.onDutyBy(source)) {
      if (duty.missing) duty.missing.graceFrom = null;
    }
  }

  /** Rule 15: again and again the earliest of all that is due, as one end may undo another. */
  private sweep(): void {
    for (;;) {
      let first: Due | null = null;
      for (const due of this.allDue()) {
        // Strictly earlier: at the same instant the order of allDue() decides (Q8).
        if (due.at <= this.now && (first === null || due.at < first.at)) first = due;
      }
      if (first === null) return;
      first.run();
    }
  }

  /** Ends before silences: a grace that has wholly run is over before the silence could stop it (Q8). */
  private allDue(): Due[] {
    const all: Due[] = [];
    for (const person of this.people.values()) all.push(...this.dueEnds(person));
    for (const source of this.sources.values()) {
      if (!source.silent) all.push({ at: source.lastCallAt + limits.SILENT_AFTER, run: () => this.fallSilent(source) });
    }
    return all;
  }

  private dueEnds(person: Person): Due[] {
    const duty = person.duty;
    if (!duty) return [];
    const ends: Due[] = [];
    const endAtLastSign = (): void => this.endAtLastSign(person);
    if (duty.missing && duty.missing.graceFrom !== null) {
      ends.push({ at: duty.missing.graceFrom + limits.GRACE, run: endAtLastSign }); // Rule 6.
    }
    if (duty.source === null) {
      const limit = duty.since + limits.HAND_LIMIT;
      ends.push({ at: limit, run: () => this.end(person, limit, false) }); // Rule 10.
      return ends;
    }
    if (duty.unnamed && duty.unnamed.until !== null) {
      ends.push({ at: duty.unnamed.until, run: endAtLastSign }); // Rule 9.
    }
    const source = this.sources.get(duty.source);
    if (source?.silent) {
      ends.push({ at: source.lastCallAt + limits.SILENCE_ENDS_AFTER, run: endAtLastSign }); // Rule 7.
    }
    return ends;
  }
}

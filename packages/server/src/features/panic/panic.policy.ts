import type { Viewer } from "#core/actor.ts";
import { nextState } from "#core/contract/index.ts";
import { AppError } from "#core/errors.ts";
import { callsPermissions, refOf } from "#features/calls/calls.contract.ts";
import {
  cancelWithinMs,
  mostPanics,
  type Panic,
  panicErrors,
  panicEveryMs,
  panicPermissions,
  panicsWithinMs,
  placeEveryMs,
  placeSlackMs,
  repeatEveryMs,
  repeatForMs,
} from "./panic.base.contract.ts";
import { type AlarmState, alarmMachine, panicMachine, type PanicOutcome, type PanicState } from "./panic.machine.ts";

/** The kind of panics in the search. */
export const panicSearchKind = "panic";

/** The own job first; a job without a dispatch centre names another one. */
export const jobsAlarmed = (own: string, to: string | null): string[] => [...new Set([own, ...(to === null ? [] : [to])])];

const secondsTo = (at: number, now: number) => Math.max(1, Math.ceil((at - now) / 1000));

/** Throws for one more panic of a person than the limits allow; says when it works again. `pressed`: when the last ones were. */
export function requireWithinLimits(pressed: readonly number[], now: number): void {
  const lately = pressed.filter((at) => at > now - panicsWithinMs).toSorted((a, b) => b - a);
  if (lately.length >= mostPanics) {
    const seconds = secondsTo(lately[mostPanics - 1]! + panicsWithinMs, now);
    const minutes = panicsWithinMs / 60_000;
    throw new AppError(panicErrors.tooMany, { params: { most: mostPanics, minutes, seconds, count: Math.ceil(seconds / 60) } });
  }
  const [last] = lately;
  if (last !== undefined && now < last + panicEveryMs) {
    const seconds = secondsTo(last + panicEveryMs, now);
    throw new AppError(panicErrors.tooSoon, { params: { seconds, count: seconds } });
  }
}

/** What decides about a viewer and a panic. */
export interface PanicStanding {
  readonly citizenId: number | null;
  readonly state: string;
  readonly pressedAt: number;
  readonly alarms: readonly {
    readonly job: string;
    readonly state: string;
    readonly repeats: number;
    /** 1 where everybody on duty is alarmed from the start. */
    readonly everybody: number;
  }[];
}

type Who = Pick<Viewer, "characterId" | "job" | "rights">;

/** Of the job, who is alarmed at once, and everybody on duty where nobody answers, or nobody has acknowledged in time. */
export function isAlarmed({ characterId, job, rights }: Who, onDutyIn: string | null, panic: PanicStanding): boolean {
  const alarm = panic.alarms.find((one) => one.job === job);
  if (alarm === undefined || panic.citizenId === characterId) return false;
  const isOn = onDutyIn === job;
  return answers(rights, isOn) || (isOn && (alarm.everybody === 1 || alarm.repeats > 0));
}

/** Is alarmed at once, and sees the present place. */
export const answers = (rights: Viewer["rights"], isOnDuty: boolean): boolean =>
  rights.has(panicPermissions.answer.id) && (isOnDuty || rights.has(panicPermissions.always.id));

/** Sees it among those of before. */
export const mayView = ({ job, rights }: Who, { alarms }: PanicStanding): boolean =>
  rights.has(panicPermissions.view.id) && alarms.some((one) => one.job === job);

/** Ends what a dispatcher of one of its jobs may end. */
export const mayEnd = ({ job, rights }: Who, { alarms }: PanicStanding): boolean =>
  rights.has(callsPermissions.view.id) && rights.has(callsPermissions.dispatch.id) && alarms.some((one) => one.job === job);

export const cancelUntil = (pressedAt: number): number => pressedAt + cancelWithinMs;

/** In the first seconds; at their end no longer. */
export const mayStillCancel = (pressedAt: number, now: number): boolean => now < cancelUntil(pressedAt);

/** What the viewer may do now, and whether it rings for them. */
export function abilitiesOf(
  who: Who,
  onDutyIn: string | null,
  panic: PanicStanding,
  now: number,
): Pick<Panic, "mine" | "rings" | "may"> {
  const mine = panic.citizenId === who.characterId;
  const isActive = panic.state === "active";
  const own = panic.alarms.find(({ job }) => job === who.job);
  const rings = isActive && own?.state === "ringing" && isAlarmed(who, onDutyIn, panic);
  const may = {
    cancel: isActive && mine && mayStillCancel(panic.pressedAt, now),
    acknowledge: rings,
    end: isActive && mayEnd(who, panic),
  };
  return { mine, rings, may: (["cancel", "acknowledge", "end"] as const).filter((move) => may[move]) };
}

type PanicEvent = Parameters<typeof nextState<PanicState, (typeof panicMachine.transitions)[number]["event"]>>[2];

/** The state after an event; throws for a panic that has ended. */
export function movedTo(state: string, event: PanicEvent, callId: number): PanicState {
  const next = nextState(panicMachine, state as PanicState, event);
  if (next === null) throw new AppError(panicErrors.ended, { params: { id: refOf(callId) } });
  return next;
}

export const endOf = { real: "endReal", false: "endFalse", test: "endTest" } as const satisfies Record<PanicOutcome, string>;

/** The state of an alarm after an event; null where it has none. */
export const alarmAfter = (state: string, event: "repeat" | "acknowledge" | "end"): AlarmState | null =>
  nextState(alarmMachine, state as AlarmState, event);

/** Half of them are at most this; null for none. */
export function medianOf(values: readonly number[]): number | null {
  if (values.length === 0) return null;
  const sorted = values.toSorted((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

/** Sees where the person is followed to: others who answer an active panic of their job. */
export const follows = ({ characterId, job, rights }: Who, onDutyIn: string | null, panic: PanicStanding): boolean =>
  panic.state === "active" &&
  panic.citizenId !== characterId &&
  panic.alarms.some((one) => one.job === job) &&
  answers(rights, onDutyIn === job);

type Seen = NonNullable<Panic["lastSeen"]>;

/** Of the place of the last press and the one where the person was followed to, the newer one. */
export function newestPlace(pressed: Seen | null, followed: Seen | null): Seen | null {
  if (pressed === null || followed === null) return pressed ?? followed;
  return followed.at > pressed.at ? followed : pressed;
}

/**
 * When a place is shown again after one of now; null where this one comes too early. Reports a second apart that come a
 * little early or late must not make three seconds of two.
 */
export const shownAgainAt = (dueAt: number, now: number): number | null =>
  now < dueAt - placeSlackMs ? null : Math.max(dueAt, now) + placeEveryMs;

/** When everybody on duty is alarmed again after a time of now; null where this was the last. */
export const repeatsNextAt = (pressedAt: number, now: number): number | null =>
  now >= pressedAt + repeatForMs ? null : now + repeatEveryMs;

const minute = 60_000;

/** A source that is silent for this long is silent. Milliseconds. */
export const silentAfterMs = minute;
/** Duties of a silent source end after this time. Milliseconds. */
export const silenceEndsMs = 15 * minute;
/** After a restart of a source, who is not named for this long is off duty. Milliseconds. */
export const restartEndsMs = 5 * minute;
/** A call of an earlier boot is one of a second game server within this time after the last one. Milliseconds. */
export const sharedForMs = 10 * minute;
/** Of how many earlier boots of a source it is known when they called last. */
export const mostBoots = 16;
/** A call of an earlier boot may have been on its way for this long after the next one began. Milliseconds. */
export const onItsWayMs = minute;

export interface EarlierBoot {
  readonly boot: string;
  readonly at: number;
}

/** The instants of the events of one call. */
export interface EventTimes {
  readonly first: number;
  readonly last: number;
}

/** What is known of a source. */
export interface Source {
  /** It has sent an event, so that its positions start and end no duty. */
  readonly sendsEvents: boolean;
  readonly boot: string | null;
  /** How often it has restarted: a boot may come again, in a call that was on its way for long. */
  readonly bootCount: number;
  /** Since when people have to be named in the present boot; null when it is the first one. */
  readonly bootSince: number | null;
  /** The earliest instant that the present boot said something about; null when none has called. */
  readonly bootFrom: number | null;
  /** Boots that were the present one lately, and when a call had each last; the last one is the last that called. */
  readonly earlier: readonly EarlierBoot[];
  readonly lastCallAt: number;
  /** From when its silence counts; null while it calls. */
  readonly silentFrom: number | null;
  /** How far its clock was behind ours when it last said its time; negative when ahead, null when it never did. Milliseconds. */
  readonly behindMs: number | null;
}

/** A source that has never called. */
export const neverCalled: Source = {
  sendsEvents: false,
  boot: null,
  bootCount: 0,
  bootSince: null,
  bootFrom: null,
  earlier: [],
  lastCallAt: 0,
  silentFrom: null,
  behindMs: null,
};

/** Rollcall was down while it was silent: it may have called, and nobody could receive it. */
export const isMissed = ({ silentFrom, lastCallAt }: Source): boolean => silentFrom !== null && silentFrom > lastCallAt;

/** From this call on its people have to be named: it restarted, twice within a millisecond too, or Rollcall was down. */
export const asksForNames = (before: Source, after: Source): boolean =>
  before.bootCount !== after.bootCount || before.bootSince !== after.bootSince;

/**
 * Until when people have to be named after a restart of their source; null without one, and from when Rollcall was down
 * until the source calls again: the time then begins again.
 */
export function namedBy(source: Source, duty: { readonly unnamedSince: number | null } | null = null): number | null {
  return source.bootSince === null || isMissed(source) ? null : (duty?.unnamedSince ?? source.bootSince) + restartEndsMs;
}

/**
 * The source after a time in which Rollcall was down. A silence counts from the first start after the last call: counted
 * from each start, it would never end while a process starts again and again.
 */
export const afterDown = (source: Source, now: number): Source =>
  isMissed(source) ? source : { ...source, silentFrom: now, lastCallAt: Math.min(source.lastCallAt, now - 1) };

/**
 * The boot that a call says to run; null for none. Events that waited may be of a run that has ended, whether it is
 * known or not: older than all that the present one said, they say nothing about who runs now.
 */
export function bootSaid({ boot: present, bootFrom }: Source, boot: string | null, events: EventTimes | null): string | null {
  const isOld = boot !== present && bootFrom !== null && events !== null && events.last < bootFrom;
  return isOld ? null : boot;
}

/** An earlier boot that called so short a time ago that this is not one of its game server's next runs. */
export const earlierBoot = ({ boot: present, earlier }: Source, boot: string | null, now: number): EarlierBoot | null =>
  earlier.find((one) => one.boot === boot && boot !== present && now - one.at <= sharedForMs) ?? null;

/** When an earlier boot called last at a time at which no call of it can be on its way any more; null when none did. */
export function sharedAt({ earlier, bootSince }: Source): number | null {
  const last = earlier.at(-1);
  return last !== undefined && bootSince !== null && last.at - bootSince >= onItsWayMs ? last.at : null;
}

/** Several game servers call as this source: earlier boots go on calling. */
export const isShared = (source: Source): boolean => sharedAt(source) !== null;

function withEarlier(earlier: readonly EarlierBoot[], boot: string, now: number): EarlierBoot[] {
  const others = earlier.filter((one) => one.boot !== boot && now - one.at <= sharedForMs);
  return [...others, { boot, at: now }].slice(-mostBoots);
}

/** What a call of a source says about the source itself; `events` are the instants of its events, if it has some. */
export function afterCall(source: Source, sent: string | null, now: number, events: EventTimes | null = null): Source {
  const boot = bootSaid(source, sent, events);
  const from = Math.min(now, events?.first ?? now);
  const called = { ...source, lastCallAt: Math.max(source.lastCallAt, now), silentFrom: null };
  const bootSince = source.bootSince !== null && isMissed(source) ? now : source.bootSince;
  if (boot === null) return { ...called, bootSince };
  if (boot === source.boot) return { ...called, bootSince, bootFrom: Math.min(source.bootFrom ?? from, from) };
  if (source.boot === null) return { ...called, bootSince, boot, bootFrom: from };
  const { boot: last, bootCount, earlier } = source;
  if (earlierBoot(source, boot, now) !== null) return { ...called, bootSince, earlier: withEarlier(earlier, boot, now) };
  const others = earlier.filter((one) => one.boot !== boot);
  return { ...called, boot, bootCount: bootCount + 1, bootSince: now, bootFrom: from, earlier: withEarlier(others, last, now) };
}

/** The source once it has been silent for so long; null while it is not, or was known to be. */
export function fallenSilent(source: Source, now: number): Source | null {
  const due = source.lastCallAt + silentAfterMs;
  if (source.silentFrom !== null || now < due) return null;
  // Nobody looked for longer than the silence itself: Rollcall was down, and received nothing.
  const looked = now - due <= silentAfterMs;
  return looked ? { ...source, silentFrom: source.lastCallAt } : afterDown(source, now);
}

/** Nobody says any more who is there. */
export const isSilent = (source: Source, now: number): boolean =>
  source.silentFrom !== null || fallenSilent(source, now) !== null;

/** When a source is looked at again, also because duties of its people end at these times; null when nothing is left to happen. */
export function nextCheck(source: Source, now: number, ends: readonly (number | null)[] = []): number | null {
  const due = source.silentFrom === null ? source.lastCallAt + silentAfterMs : source.silentFrom + silenceEndsMs;
  const coming = [due, namedBy(source), ...ends].filter((at) => at !== null && at > now) as number[];
  return coming.length === 0 ? null : Math.min(...coming);
}

/** Who reports an event. */
export interface Reporter {
  readonly source: string;
  readonly bootCount: number;
  /** The call named its boot, and that is one which runs. */
  readonly saysBoot: boolean;
}

/** Who calls, after the call was noted. */
export function reporterOf(name: string, source: Source, boot: string | null): Reporter {
  return { source: name, bootCount: source.bootCount, saysBoot: boot !== null && (boot === source.boot || isShared(source)) };
}

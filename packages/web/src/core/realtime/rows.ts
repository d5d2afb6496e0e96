import { useCallback, useEffect, useEffectEvent, useMemo, useRef, useState } from "react";
import type { TopicDefinition } from "@rollcall/server/contract/core";
import { systemClock } from "#core/clock.ts";
import { useLive } from "./live.tsx";

export interface Versioned {
  readonly id: number;
  readonly version: number;
}

export type Change<T> = T & { readonly deleted: boolean };

/** What arrived live, by id, the newest version of each. */
export type Changes<T> = ReadonlyMap<number, Change<T>>;

export function collect<T extends Versioned>(known: Changes<T>, items: readonly Change<T>[]): Changes<T> {
  const newer = items.filter((item) => item.version > (known.get(item.id)?.version ?? 0));
  if (newer.length === 0) return known;
  return new Map([...known, ...newer.map((item) => [item.id, item] as const)]);
}

/** What arrived live in one epoch: after a restored backup, versions begin again where the backup stood. */
export interface Collected<T> {
  /** Null before anything arrived. */
  readonly epoch: string | null;
  readonly changes: Changes<T>;
}

/** What of it still holds in an epoch; one that is not known leaves it as it is. */
export function inEpoch<T extends Versioned>(known: Collected<T>, epoch: string | null): Collected<T> {
  if (epoch === null || epoch === known.epoch) return known;
  return { epoch, changes: new Map() };
}

export function collected<T extends Versioned>(known: Collected<T>, epoch: string, items: readonly Change<T>[]): Collected<T> {
  const now = inEpoch(known, epoch);
  const changes = collect(now.changes, items);
  return changes === now.changes ? now : { epoch, changes };
}

/** Rows as read, with what arrived since: by version, older changes dropped, deleted rows gone. */
export function overlay<T extends Versioned>(rows: readonly T[], changes: Changes<T>): readonly T[] {
  if (changes.size === 0) return rows;
  return rows.flatMap((row) => {
    const change = changes.get(row.id);
    if (!change || change.version <= row.version) return [row];
    return change.deleted ? [] : [{ ...row, ...change }];
  });
}

/** Reading again waits this long for further changes. Milliseconds. */
const SOON = 800;
/** During a busy import a list is not read more often than this. Milliseconds. */
const SELDOM = 5_000;

export interface LiveRowsInput<T extends Versioned> {
  readonly topic: TopicDefinition | null;
  /** Part of the topic's name behind the slash. */
  readonly key?: number | undefined;
  readonly rows: readonly T[];
  /** A changed row may now belong elsewhere: the list is filtered. */
  readonly filtered: boolean;
  /** Reads the rows again. */
  refetch(): void;
}

/** Keeps rows up to date while they are shown; reads again when something new may belong among them. */
export function useLiveRows<T extends Versioned>(input: LiveRowsInput<T>): readonly T[] {
  const { topic, key, rows, filtered, refetch } = input;
  const [{ changes }, setCollected] = useState<Collected<T>>(() => ({ epoch: null, changes: new Map() }));
  const shown = useMemo(() => new Set(rows.map(({ id }) => id)), [rows]);
  const again = useRefetchSoon(refetch);

  useLive(
    topic,
    {
      onEvent(message, epoch) {
        const { items } = message as { items: readonly Change<T>[] };
        setCollected((known) => collected(known, epoch, items));
        if (filtered || items.some(({ id, deleted }) => !deleted && !shown.has(id))) again(SELDOM);
      },
      onSnapshot(epoch) {
        setCollected((known) => inEpoch(known, epoch));
        again(SOON);
      },
    },
    key,
  );

  return useMemo(() => overlay(rows, changes), [rows, changes]);
}

/** Asks for one refetch after a pause, however often it is called meanwhile. */
function useRefetchSoon(refetch: () => void): (atMostEvery: number) => void {
  const [wish, setWish] = useState<{ readonly atMostEvery: number } | null>(null);
  const last = useRef(0);
  const run = useEffectEvent(refetch);

  useEffect(() => {
    if (!wish) return;
    const sinceLast = systemClock.now() - last.current;
    return systemClock.after(Math.max(SOON, wish.atMostEvery - sinceLast), () => {
      last.current = systemClock.now();
      setWish(null);
      run();
    });
  }, [wish]);

  return useCallback((atMostEvery) => setWish((wished) => wished ?? { atMostEvery }), []);
}

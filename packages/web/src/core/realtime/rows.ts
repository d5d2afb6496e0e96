import { useCallback, useEffect, useEffectEvent, useMemo, useRef, useState } from "react";
import type { TopicDefinition } from "@rollcall/server/contract/core";
import { systemClock } from "#core/clock.ts";
import { useLive } from "./live.tsx";

export interface Versioned {
  readonly id: number;
  readonly version: number;
}

export type Change<T> = T & { readonly deleted: boolean };

/** Live changes by id, the newest version of each row. */
export type Changes<T> = ReadonlyMap<number, Change<T>>;

export function collect<T extends Versioned>(known: Changes<T>, items: readonly Change<T>[]): Changes<T> {
  const newer = items.filter((item) => item.version > (known.get(item.id)?.version ?? 0));
  if (newer.length === 0) return known;
  return new Map([...known, ...newer.map((item) => [item.id, item] as const)]);
}

/** Live changes of one epoch: after a backup is restored, versions continue from those in the backup. */
export interface Collected<T> {
  /** Null before the first message. */
  readonly epoch: string | null;
  readonly changes: Changes<T>;
}

/** The changes that are still valid in an epoch; an unknown epoch keeps all. */
export function inEpoch<T extends Versioned>(known: Collected<T>, epoch: string | null): Collected<T> {
  if (epoch === null || epoch === known.epoch) return known;
  return { epoch, changes: new Map() };
}

export function collected<T extends Versioned>(known: Collected<T>, epoch: string, items: readonly Change<T>[]): Collected<T> {
  const now = inEpoch(known, epoch);
  const changes = collect(now.changes, items);
  return changes === now.changes ? now : { epoch, changes };
}

/** The rows as read with newer live changes applied and deleted rows removed. */
export function overlay<T extends Versioned>(rows: readonly T[], changes: Changes<T>): readonly T[] {
  if (changes.size === 0) return rows;
  return rows.flatMap((row) => {
    const change = changes.get(row.id);
    if (!change || change.version <= row.version) return [row];
    return change.deleted ? [] : [{ ...row, ...change }];
  });
}

/** A reload waits this long for further changes. Milliseconds. */
const SETTLE = 800;
/** Shortest interval between reloads of a list during a busy import. Milliseconds. */
const SHORTEST_INTERVAL = 5_000;

export interface LiveRowsInput<T extends Versioned> {
  readonly topic: TopicDefinition | null;
  /** Part of the topic's name after the slash. */
  readonly key?: number | undefined;
  readonly rows: readonly T[];
  /** A changed row may now belong elsewhere: the list is filtered. */
  readonly filtered: boolean;
  /** Reads the rows again. */
  refetch(): void;
}

/** Keeps rows up to date while they are shown; reloads when a new row may belong among them. */
export function useLiveRows<T extends Versioned>(input: LiveRowsInput<T>): readonly T[] {
  const { topic, key, rows, filtered, refetch } = input;
  const [{ changes }, setCollected] = useState<Collected<T>>(() => ({ epoch: null, changes: new Map() }));
  const shown = useMemo(() => new Set(rows.map(({ id }) => id)), [rows]);
  const refetchSoon = useRefetchSoon(refetch);

  useLive(
    topic,
    {
      onEvent(message, epoch) {
        const { items } = message as { items: readonly Change<T>[] };
        setCollected((known) => collected(known, epoch, items));
        if (filtered || items.some(({ id, deleted }) => !deleted && !shown.has(id))) refetchSoon(SHORTEST_INTERVAL);
      },
      onSnapshot(epoch) {
        setCollected((known) => inEpoch(known, epoch));
        refetchSoon(SETTLE);
      },
    },
    key,
  );

  return useMemo(() => overlay(rows, changes), [rows, changes]);
}

/** Schedules one refetch after a pause, however often it is called meanwhile. */
function useRefetchSoon(refetch: () => void): (atMostEvery: number) => void {
  const [planned, setPlanned] = useState<{ readonly atMostEvery: number } | null>(null);
  const last = useRef(0);
  const run = useEffectEvent(refetch);

  useEffect(() => {
    if (!planned) return;
    const sinceLast = systemClock.now() - last.current;
    return systemClock.after(Math.max(SETTLE, planned.atMostEvery - sinceLast), () => {
      last.current = systemClock.now();
      setPlanned(null);
      run();
    });
  }, [planned]);

  return useCallback((atMostEvery) => setPlanned((current) => current ?? { atMostEvery }), []);
}

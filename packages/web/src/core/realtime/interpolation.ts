/** How a number gets from one report to the next: on a straight line, or as an angle in degrees the shorter way round. */
export type Movement = "line" | "angle";

/** Where moving numbers of a state topic are between two reports. */
export interface Tracks {
  /** A new value arrived; null: the key is gone. `now` by this device's clock. Milliseconds. */
  report(key: string, value: Readonly<Record<string, unknown>> | null, now: number): void;
  /** The moving fields of a key at this instant; undefined for an unknown key. */
  at(key: string, now: number): Readonly<Record<string, number>> | undefined;
}

interface Track {
  readonly from: Readonly<Record<string, number>>;
  readonly to: Readonly<Record<string, number>>;
  readonly start: number;
}

/**
 * A number moves from where it is shown to the reported one within `interval`, the time between two frames, and stays
 * there: it never runs ahead of what was reported.
 */
export function createTracks(moves: Readonly<Record<string, Movement>>, interval: number): Tracks {
  const tracks = new Map<string, Track>();
  const names = Object.keys(moves);

  const between = ({ from, to, start }: Track, now: number): Record<string, number> => {
    const part = Math.min(1, Math.max(0, (now - start) / interval));
    return Object.fromEntries(names.flatMap((name) => value(name, from[name], to[name], part)));
  };

  const value = (name: string, from: number | undefined, to: number | undefined, part: number): [string, number][] => {
    if (to === undefined) return [];
    if (from === undefined || part === 1) return [[name, to]];
    if (moves[name] === "line") return [[name, from + (to - from) * part]];
    const turn = ((((to - from) % 360) + 540) % 360) - 180;
    return [[name, (((from + turn * part) % 360) + 360) % 360]];
  };

  return {
    report(key, reported, now) {
      if (names.length === 0) return;
      if (reported === null) {
        tracks.delete(key);
        return;
      }
      const to = Object.fromEntries(
        names.flatMap((name) => (typeof reported[name] === "number" ? [[name, reported[name]] as const] : [])),
      );
      const before = tracks.get(key);
      tracks.set(key, { from: before ? between(before, now) : to, to, start: now });
    },
    at(key, now) {
      const track = tracks.get(key);
      return track && between(track, now);
    },
  };
}

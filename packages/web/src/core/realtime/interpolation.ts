/** How a number gets from one report to the next: on a straight line, or as an angle in degrees the shorter way round. */
export type Movement = "line" | "angle";

/** Where moving numbers of a state topic are between two reports. */
export interface Tracks {
  /** A new value arrived; null: the key is gone. `now` by this device's clock. Milliseconds. */
  report(key: string, value: Readonly<Record<string, unknown>> | null, now: number): void;
  /** The moving fields of a key at this instant; undefined for an unknown key. */
  at(key: string, now: number): Readonly<Record<string, number>> | undefined;
  /** All keys are gone. */
  clear(): void;
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

  // A map asks for all of its markers in each frame, so nothing is made here but the answer.
  const between = ({ from, to, start }: Track, now: number): Record<string, number> => {
    const part = Math.min(1, Math.max(0, (now - start) / interval));
    const shown: Record<string, number> = {};
    for (const name of names) {
      const [first, last] = [from[name], to[name]];
      if (last !== undefined) shown[name] = first === undefined || part === 1 ? last : partWay(moves[name]!, first, last, part);
    }
    return shown;
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
    clear: () => tracks.clear(),
  };
}

function partWay(movement: Movement, from: number, to: number, part: number): number {
  if (movement === "line") return from + (to - from) * part;
  const turn = ((((to - from) % 360) + 540) % 360) - 180;
  return (((from + turn * part) % 360) + 360) % 360;
}

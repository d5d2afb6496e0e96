import type { Position } from "@rollcall/server/contract/core";
import { reaches } from "./position.ts";

/** Something that is read from the server, and kept outside of the cache of answers. */
export interface Held {
  /** Reads it. Rejects when that fails. */
  read(): Promise<void>;
  /** Reads it in the background; what is kept stays when that fails. */
  readSoon(): void;
  /** Events before this position were missed: reads it again unless what is kept, or on its way, holds them. */
  missed(position: Position | null): void;
}

/** `read` calls `onPosition` with the position up to which the answer holds all changes; null where the server told none. */
export function createHeld(read: (onPosition: (position: Position | null) => void) => Promise<void>): Held {
  let stands: Position | null = null;
  let running: Promise<void> | null = null;

  const readNow = async (): Promise<void> => {
    stands = null;
    const mine = read((position) => (stands = position));
    running = mine;
    try {
      await mine;
    } finally {
      if (running === mine) running = null;
    }
  };
  const readSoon = () => void readNow().catch(() => undefined);
  const holds = (position: Position | null) => position !== null && reaches(stands, position);

  return {
    read: readNow,
    readSoon,
    missed(position) {
      const check = () => {
        if (!holds(position)) readSoon();
      };
      if (running === null) check();
      else running.then(check, check);
    },
  };
}

import { useCallback, useEffect, useState } from "react";
import { systemClock, type Clock } from "#core/clock.ts";
import { isRecord } from "#core/problem.ts";
import { device, type KeptValues } from "#core/storage.ts";

/** Unsent form input, kept on the device until it is sent. */
export interface Drafts {
  read<T>(form: string): T | null;
  write(form: string, value: unknown): void;
  drop(form: string): void;
}

/** Lifetime of a draft since its last change. Milliseconds. */
const LIFETIME = 30 * 86_400_000;

export function createDrafts(kept: KeptValues, clock: Clock): Drafts {
  const nameOf = (form: string) => `draft.${form}`;
  return {
    read<T>(form: string) {
      const found = kept.read(nameOf(form));
      if (!isRecord(found) || typeof found["at"] !== "number") return null;
      if (clock.now() - found["at"] <= LIFETIME) return found["value"] as T;
      kept.remove(nameOf(form));
      return null;
    },
    write: (form, value) => kept.write(nameOf(form), { at: clock.now(), value }),
    drop: (form) => kept.remove(nameOf(form)),
  };
}

const drafts = createDrafts(device, systemClock);

export interface Draft<T> {
  readonly value: T;
  set(change: Partial<T>): void;
  /** Removes the draft: it was sent or discarded. */
  clear(): void;
  /** True when the form opened with a stored draft. */
  readonly restored: boolean;
}

/** The values of a form, kept under `form` from the first keystroke until `clear`. */
export function useDraft<T extends object>(form: string, empty: T): Draft<T> {
  const [kept] = useState(() => drafts.read<T>(form));
  const [value, setValue] = useState<T>(() => ({ ...empty, ...kept }));
  const [dirty, setDirty] = useState(false);

  useEffect(() => {
    if (dirty) drafts.write(form, value);
  }, [form, value, dirty]);

  const set = useCallback((change: Partial<T>) => {
    setDirty(true);
    setValue((before) => ({ ...before, ...change }));
  }, []);

  const clear = useCallback(() => {
    drafts.drop(form);
    setDirty(false);
    setValue(empty);
  }, [form, empty]);

  return { value, set, clear, restored: kept !== null };
}

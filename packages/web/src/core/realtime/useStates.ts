import { useCallback, useContext, useMemo, useSyncExternalStore } from "react";
import type { MessageOf, StateTopic } from "@rollcall/server/contract/core";
import { type Clock, systemClock } from "#core/clock.ts";
import { LinkContext } from "./link.ts";
import type { StateOf } from "./states.ts";

export interface ShownState<T> {
  readonly known: boolean;
  /** By key, with the age of each value from its `at`. */
  readonly entries: readonly (StateOf<T> & { readonly key: string })[];
}

/** Calls back at once, and then at most once in `interval` milliseconds, the last time after the last call. */
export function atMost(interval: number, listener: () => void, clock: Clock): { call(): void; stop(): void } {
  let cancel: (() => void) | null = null;
  let again = false;
  const call = () => {
    if (cancel !== null) {
      again = true;
      return;
    }
    again = false;
    cancel = clock.after(interval, () => {
      cancel = null;
      if (again) call();
    });
    listener();
  };
  return { call, stop: () => cancel?.() };
}

/**
 * The values of a state topic as they are now; renders again with each frame that changed something, or at most once in
 * `every` milliseconds.
 */
export function useStates<D extends StateTopic>(topic: D, key?: string | number, every = 0): ShownState<MessageOf<D>> {
  const link = useContext(LinkContext);
  if (!link) throw new Error("this component is not inside a RealtimeProvider");
  const state = useMemo(() => link.states.of(topic, key), [link, topic, key]);
  const subscribe = useCallback(
    (listener: () => void) => {
      if (every === 0) return state.subscribe(listener);
      const seldom = atMost(every, listener, systemClock);
      const unsubscribe = state.subscribe(seldom.call);
      return () => {
        unsubscribe();
        seldom.stop();
      };
    },
    [state, every],
  );
  const now = useSyncExternalStore(subscribe, () => state.now());
  return useMemo(
    () => ({ known: now.known, entries: [...now.values].map(([entry, value]) => ({ key: entry, ...value })) }),
    [now],
  );
}

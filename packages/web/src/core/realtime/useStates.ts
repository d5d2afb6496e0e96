import { useCallback, useContext, useMemo, useSyncExternalStore } from "react";
import type { MessageOf, StateTopic } from "@rollcall/server/contract/core";
import { LinkContext } from "./link.ts";
import type { StateOf } from "./states.ts";

export interface ShownState<T> {
  readonly known: boolean;
  /** By key, with the age of each value from its `at`. */
  readonly entries: readonly (StateOf<T> & { readonly key: string })[];
}

/** The values of a state topic as they are now; renders again with each frame that changed something. */
export function useStates<D extends StateTopic>(topic: D, key?: string | number): ShownState<MessageOf<D>> {
  const link = useContext(LinkContext);
  if (!link) throw new Error("this component is not inside a RealtimeProvider");
  const state = useMemo(() => link.states.of(topic, key), [link, topic, key]);
  const subscribe = useCallback((listener: () => void) => state.subscribe(listener), [state]);
  const now = useSyncExternalStore(subscribe, () => state.now());
  return useMemo(
    () => ({ known: now.known, entries: [...now.values].map(([entry, value]) => ({ key: entry, ...value })) }),
    [now],
  );
}

import { useEffect } from "react";
import { createStore, useStore } from "#core/store.ts";

/** Names of what is open on the page, the innermost last: a record beside its list, for example. */
const open = createStore<readonly { readonly name: string }[]>([]);

/** Names the record that a component shows in the title of the tab while it is shown; an empty name is none. */
export function useRecordTitle(name: string): void {
  useEffect(() => {
    if (name === "") return;
    const mine = { name };
    open.set([...open.get(), mine]);
    return () => open.set(open.get().filter((one) => one !== mine));
  }, [name]);
}

/** The name of the record that is open; null without one. */
export function useOpenRecord(): string | null {
  return useStore(open).at(-1)?.name ?? null;
}

/** The title of a tab: from the record over the page to the instance, without what is not known. */
export function titleOf(...parts: readonly (string | null | undefined)[]): string {
  return parts.filter((part) => part !== null && part !== undefined && part !== "").join(" · ");
}

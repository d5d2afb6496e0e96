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

interface Mark {
  readonly text: string;
  readonly position: number;
}

let marks: readonly Mark[] = [];
let title: string | null = null;

function show(): void {
  title ??= document.title;
  const before = marks.toSorted((a, b) => a.position - b.position).map(({ text }) => text);
  const wanted = [...before, title].join("");
  if (document.title !== wanted) document.title = wanted;
}

/** Sets the title of the tab; what is put before it stays. */
export function setTitle(next: string): void {
  title = next;
  show();
}

/** Puts a text, with what separates it, before the title of the tab while it is not null; the lowest position comes first. */
export function useTitleMark(text: string | null, position: number): void {
  useEffect(() => {
    if (text === null) return;
    const mine = { text, position };
    marks = [...marks, mine];
    show();
    return () => {
      marks = marks.filter((one) => one !== mine);
      show();
    };
  }, [text, position]);
}

import { lazy, Suspense, useEffect } from "react";
import { collectTyping, takeTyped } from "#core/keyboard.ts";
import type { Jump, NavigationEntry } from "#core/pages.ts";
import { createStore, useStore } from "#core/store.ts";

const loadSearch = () => import("#features/search/search.dialog.tsx");
const SearchDialog = lazy(loadSearch);
const HelpDialog = lazy(() => import("./help.tsx"));
const AdminDialog = lazy(() => import("./admin.tsx"));

export type DialogName = "search" | "help" | "admin";

const opened = createStore<DialogName | null>(null);

export function openDialog(name: DialogName): void {
  if (name === "search" && opened.get() !== "search") collectTyping();
  opened.set(name);
}

/** Fetches the search when somebody is about to open it; letters typed meanwhile are collected. */
export function fetchSearch(): void {
  loadSearch().catch(() => undefined);
}

/** While a dialog is open, what lies below takes no part. */
export function useDialogOpen(): boolean {
  return useStore(opened) !== null;
}

/** The dialogs of the frame, loaded when first opened. */
export function Dialogs(props: { places: readonly NavigationEntry[]; jumps: readonly Jump[] }) {
  const name = useStore(opened);
  const close = () => {
    takeTyped();
    opened.set(null);
  };
  useEffect(() => {
    const ahead = ({ key }: KeyboardEvent) => {
      if (key === "Control" || key === "Meta") fetchSearch();
    };
    addEventListener("keydown", ahead);
    return () => removeEventListener("keydown", ahead);
  }, []);
  return (
    <Suspense fallback={null}>
      {name === "search" && <SearchDialog places={props.places} jumps={props.jumps} onClose={close} />}
      {name === "help" && <HelpDialog onClose={close} />}
      {name === "admin" && <AdminDialog onClose={close} />}
    </Suspense>
  );
}
